; A barrier of a slot that is stored again before anybody can look is in vain; barriers of one
; object stand together.
; RUN: %opt -passes=acre-coalesce-barriers,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr) memory(inaccessiblemem: readwrite)
declare void @acre_rt_reread(ptr) memory(argmem: read, inaccessiblemem: readwrite)
declare void @acre_rt_rescan(ptr, i64) memory(argmem: read, inaccessiblemem: readwrite)
declare void @acre_rt_release(ptr, i64) memory(inaccessiblemem: readwrite)
declare void @acre_rt_check_sameregion(ptr, ptr, ptr) memory(inaccessiblemem: readwrite)
declare void @unknown()
declare i64 @pure(ptr) nounwind willreturn memory(read)

; CHECK-LABEL: @overwritten(
; CHECK-NEXT: store ptr null, ptr %p
; CHECK-NEXT: store ptr %v, ptr %p
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK-NEXT: ret void
define void @overwritten(ptr %p, ptr %v) {
  store ptr null, ptr %p
  call void @acre_rt_store(ptr %p, ptr null)
  store ptr %v, ptr %p
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; CHECK-LABEL: @seen_between(
; CHECK: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: call void @unknown()
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
define void @seen_between(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr null)
  call void @unknown()
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; A store that releases to another thread, and a volatile one.
; CHECK-LABEL: @published_between(
; CHECK-COUNT-3: call void @acre_rt_store(
define void @published_between(ptr %p, ptr %flag, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr null)
  store atomic i32 1, ptr %flag release, align 4
  call void @acre_rt_store(ptr %p, ptr null)
  store volatile i32 1, ptr %flag
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; CHECK-LABEL: @read_and_checked_between(
; CHECK-NOT: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: call i64 @pure
; CHECK: ret void
define void @read_and_checked_between(ptr %p, ptr %q, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr null)
  %n = call i64 @pure(ptr %p)
  call void @acre_rt_check_sameregion(ptr %q, ptr %v, ptr null)
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; CHECK-LABEL: @overwritten_on_all_ways(
; CHECK-NOT: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: ret void
define void @overwritten_on_all_ways(ptr %p, ptr %v, ptr %w, i1 %c) {
entry:
  call void @acre_rt_store(ptr %p, ptr null)
  br i1 %c, label %a, label %b
a:
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @unknown()
  ret void
b:
  call void @acre_rt_store(ptr %p, ptr %w)
  ret void
}

; CHECK-LABEL: @overwritten_on_one_way(
; CHECK: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: br i1
define void @overwritten_on_one_way(ptr %p, ptr %v, i1 %c) {
entry:
  call void @acre_rt_store(ptr %p, ptr null)
  br i1 %c, label %a, label %b
a:
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
b:
  ret void
}

; The next round's store is to another slot, though it has the same name.
; CHECK-LABEL: @other_slot_in_next_round(
; CHECK: loop:
; CHECK: call void @acre_rt_store(ptr %at, ptr null)
; CHECK: call void @unknown()
; CHECK: call void @acre_rt_store(ptr %at, ptr %v)
define void @other_slot_in_next_round(ptr %p, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr ptr, ptr %p, i64 %i
  %next = add i64 %i, 1
  %c = icmp eq i64 %i, %n
  call void @acre_rt_store(ptr %at, ptr null)
  br i1 %c, label %end, label %latch
latch:
  br label %loop
end:
  call void @unknown()
  call void @acre_rt_store(ptr %at, ptr %v)
  ret void
}

; CHECK-LABEL: @covered_by_a_range(
; CHECK-NOT: acre_rt_store
; CHECK: call void @acre_rt_rescan(
; CHECK: ret void
define void @covered_by_a_range(ptr %p, ptr %v) {
  %q = getelementptr i8, ptr %p, i64 8
  call void @acre_rt_store(ptr %q, ptr %v)
  call void @acre_rt_rescan(ptr %p, i64 16)
  ret void
}

; CHECK-LABEL: @not_all_covered(
; CHECK: call void @acre_rt_store(
; CHECK: call void @acre_rt_rescan(
define void @not_all_covered(ptr %p, ptr %v, i64 %n) {
  %q = getelementptr i8, ptr %p, i64 12
  call void @acre_rt_store(ptr %q, ptr %v)
  call void @acre_rt_rescan(ptr %p, i64 16)
  call void @acre_rt_rescan(ptr %p, i64 %n)
  ret void
}

; CHECK-LABEL: @initialiser(
; CHECK: store i32 1
; CHECK-NEXT: store ptr null, ptr %c
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK-NEXT: call void @acre_rt_store(ptr %b, ptr %v)
; CHECK-NEXT: call void @acre_rt_store(ptr %c, ptr null)
define void @initialiser(ptr %p, ptr %v) {
  %b = getelementptr i8, ptr %p, i64 8
  %c = getelementptr i8, ptr %p, i64 24
  %d = getelementptr i8, ptr %p, i64 16
  store ptr %v, ptr %p
  call void @acre_rt_store(ptr %p, ptr %v)
  store ptr %v, ptr %b
  call void @acre_rt_store(ptr %b, ptr %v)
  store i32 1, ptr %d
  store ptr null, ptr %c
  call void @acre_rt_store(ptr %c, ptr null)
  ret void
}

; The slot of %q may be that of %p: which barrier comes last decides.
; CHECK-LABEL: @another_object_between(
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK-NEXT: call void @acre_rt_store(ptr %q, ptr null)
; CHECK-NEXT: call void @acre_rt_store(ptr %b, ptr %v)
define void @another_object_between(ptr %p, ptr %q, ptr %v) {
  %b = getelementptr i8, ptr %p, i64 8
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @acre_rt_store(ptr %q, ptr null)
  call void @acre_rt_store(ptr %b, ptr %v)
  ret void
}

; CHECK-LABEL: @range_between(
; CHECK: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: call void @acre_rt_rescan(ptr %q, i64 8)
; CHECK: call void @acre_rt_store(ptr %b, ptr null)
define void @range_between(ptr %p, ptr %q) {
  %b = getelementptr i8, ptr %p, i64 8
  call void @acre_rt_store(ptr %p, ptr null)
  call void @acre_rt_rescan(ptr %q, i64 8)
  call void @acre_rt_store(ptr %b, ptr null)
  ret void
}
