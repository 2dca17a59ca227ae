; The barriers of a loop that nothing can look into become one of all that it wrote, behind it; then
; the loop becomes a memset or memcpy, or is vectorized, as without them.
; RUN: %opt -passes='acre-sink-barriers,verify' -S %s | FileCheck %s
; RUN: %opt -passes='acre-sink-barriers,function(loop-vectorize),verify' -force-vector-width=2 -S \
; RUN:   %s | FileCheck --check-prefix=VECTOR %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @acre_rt_reread(ptr) nounwind willreturn memory(argmem: read, inaccessiblemem: readwrite)
declare void @acre_rt_rescan(ptr, i64) nounwind willreturn memory(argmem: read, inaccessiblemem: readwrite)
declare void @unknown()

; CHECK-LABEL: @fill(
; CHECK-NOT: acre_rt_store(
; CHECK: done:
; CHECK: %[[SIZE:.*]] = shl i64 %n, 3
; CHECK: call void @acre_rt_store_range(ptr %p, i64 %[[SIZE]])
; VECTOR-LABEL: @fill(
; VECTOR: vector.body:
; VECTOR: store <2 x ptr>
define void @fill(ptr %p, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @clear(
; CHECK: call void @llvm.memset
; CHECK: call void @acre_rt_release(ptr %p, i64 %
define void @clear(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  store ptr null, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr null)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @copy(
; CHECK: call void @llvm.memcpy
; CHECK: call void @acre_rt_store_range(ptr %p, i64 %
define void @copy(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  %from = getelementptr inbounds ptr, ptr %q, i64 %i
  %v = load ptr, ptr %from, align 8
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Downwards: the range begins at the last slot.
; CHECK-LABEL: @downwards(
; CHECK: done:
; CHECK: call void @acre_rt_store_range(ptr %p, i64 800)
define void @downwards(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 99, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  %from = getelementptr inbounds ptr, ptr %q, i64 %i
  %v = load ptr, ptr %from, align 8
  %w = getelementptr i8, ptr %v, i64 1
  store ptr %w, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %w)
  %next = add nsw i64 %i, -1
  %more = icmp ne i64 %i, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; One slot: what the last round stored.
; CHECK-LABEL: @one_slot(
; CHECK: done:
; CHECK-NEXT: %[[LAST:.*]] = phi ptr [ %v, %loop ]
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %[[LAST]])
define void @one_slot(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds ptr, ptr %q, i64 %i
  %v = load ptr, ptr %from, align 8
  store ptr %v, ptr %p, align 8
  call void @acre_rt_store(ptr %p, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The two slots may be one, and which value is the last is not known.
; CHECK-LABEL: @two_slots(
; CHECK: loop:
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK: call void @acre_rt_store(ptr %q, ptr %w)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @two_slots(ptr %p, ptr %q, ptr %v, ptr %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store ptr %v, ptr %p, align 8
  call void @acre_rt_store(ptr %p, ptr %v)
  store ptr %w, ptr %q, align 8
  call void @acre_rt_store(ptr %q, ptr %w)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; One array is cleared, the other filled, and they may overlap: the records are made from what is
; there in the end.
; CHECK-LABEL: @cleared_and_filled(
; CHECK: done:
; CHECK: call void @acre_rt_store_range(ptr %p
; CHECK: call void @acre_rt_store_range(ptr %q
define void @cleared_and_filled(ptr %p, ptr %q, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  %to = getelementptr inbounds ptr, ptr %q, i64 %i
  store ptr null, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr null)
  store ptr %v, ptr %to, align 8
  call void @acre_rt_store(ptr %to, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @calls(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @calls(ptr %p, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  call void @unknown()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @publishes(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @publishes(ptr %p, ptr %flag, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  store atomic i64 %i, ptr %flag release, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Another barrier of the loop is about what a slot held when control passed it.
; CHECK-LABEL: @reread(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: call void @acre_rt_rescan(ptr %q, i64 8)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @reread(ptr %p, ptr %q, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  call void @acre_rt_rescan(ptr %q, i64 8)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Not every round stores: a slot of the range may be no memory of the program.
; CHECK-LABEL: @sometimes(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @sometimes(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  %from = getelementptr inbounds ptr, ptr %q, i64 %i
  %v = load ptr, ptr %from, align 8
  %is = icmp ne ptr %v, null
  br i1 %is, label %then, label %latch
then:
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; An array of records: between the slots is what no barrier is about.
; CHECK-LABEL: @strided(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @strided(ptr %p, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds [2 x ptr], ptr %p, i64 %i
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Whoever leaves early has written less.
; CHECK-LABEL: @leaves_early(
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
; CHECK: done:
; CHECK-NOT: call
; CHECK: ret void
define void @leaves_early(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr inbounds ptr, ptr %p, i64 %i
  %from = getelementptr inbounds ptr, ptr %q, i64 %i
  %v = load ptr, ptr %from, align 8
  store ptr %v, ptr %at, align 8
  call void @acre_rt_store(ptr %at, ptr %v)
  %is = icmp ne ptr %v, null
  br i1 %is, label %latch, label %done
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
