; A base is asked for once, before the loops that it comes into; steps to members are not checked,
; indexing is.  A check of a counted loop is made once, before it, of all its rounds; one that
; cannot fail is not made.
; RUN: %opt -acre-bounds -passes=acre-bounds,verify -S %s | FileCheck %s
; RUN: %opt -acre-bounds "-passes=acre-bounds,function(loop-simplify),acre-bounds-of-loops,verify" \
; RUN:   -S %s | FileCheck --check-prefix=LOOPS %s
; RUN: %opt -passes=acre-bounds,verify -S %s | FileCheck --check-prefix=OFF %s
; OFF-NOT: acre_rt_
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%pair = type { i32, i32 }
@table = internal global [4 x i32] zeroinitializer

define i32 @member(ptr %p) {
; CHECK-LABEL: define i32 @member(
; CHECK-NOT: acre_rt_
; CHECK: ret i32
  %second = getelementptr inbounds %pair, ptr %p, i64 0, i32 1
  %v = load i32, ptr %second
  ret i32 %v
}

define i32 @indexed(ptr %p, i64 %i) {
; CHECK-LABEL: define i32 @indexed(
; CHECK: [[RANGE:%.*]] = call { ptr, ptr } @acre_rt_bounds(ptr %p)
; CHECK-NEXT: [[LOW:%.*]] = extractvalue { ptr, ptr } [[RANGE]], 0
; CHECK-NEXT: [[HIGH:%.*]] = extractvalue { ptr, ptr } [[RANGE]], 1
; CHECK-NEXT: call void @acre_rt_check_bounds(ptr [[LOW]], ptr [[HIGH]], ptr %at, i64 4, ptr @
; CHECK-NEXT: load i32, ptr %at
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at
  ret i32 %v
}

%record = type { i32, [4 x i32] }

define i32 @in_array(ptr %p, i64 %i) {
; An element of an array of known length: only an index beyond that asks.
; CHECK-LABEL: define i32 @in_array(
; CHECK: [[OUTSIDE:%.*]] = icmp uge i64 %i, 4
; CHECK-NEXT: br i1 [[OUTSIDE]], label %[[RARELY:.*]], label %[[INSIDE:.*]], !prof
; CHECK: [[RARELY]]:
; CHECK-NEXT: call { ptr, ptr } @acre_rt_bounds(ptr %p)
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %at, i64 4, ptr @
; CHECK: [[INSIDE]]:
; CHECK-NEXT: load i32, ptr %at
  %at = getelementptr inbounds %record, ptr %p, i64 0, i32 1, i64 %i
  %v = load i32, ptr %at
  ret i32 %v
}

define i64 @wider(ptr %p, i64 %i) {
; The access is longer than the element.
; CHECK-LABEL: define i64 @wider(
; CHECK-NOT: icmp
; CHECK: call void @acre_rt_check_bounds(
  %at = getelementptr inbounds %record, ptr %p, i64 0, i32 1, i64 %i
  %v = load i64, ptr %at
  ret i64 %v
}

define void @kept(ptr %p, ptr %slot) {
; CHECK-LABEL: define void @kept(
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %after, i64 0, ptr @
; CHECK-NEXT: store ptr %after, ptr %slot
  %after = getelementptr i32, ptr %p, i64 1
  store ptr %after, ptr %slot
  ret void
}

define i32 @in_sight(i64 %i) {
; CHECK-LABEL: define i32 @in_sight(
; CHECK-NOT: acre_rt_bounds(
; CHECK: call void @acre_rt_check_bounds(ptr @table, ptr getelementptr (i8, ptr @table, i64 16), ptr %at, i64 4, ptr @
; LOOPS-LABEL: define i32 @in_sight(
; LOOPS-COUNT-1: acre_rt_check_bounds
  %at = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %at
  %last = getelementptr inbounds i32, ptr @table, i64 3
  %w = load i32, ptr %last
  %s = add i32 %v, %w
  ret i32 %s
}

define void @fill(ptr %p, i64 %n) {
; CHECK-LABEL: define void @fill(
; CHECK: entry:
; CHECK-NEXT: call { ptr, ptr } @acre_rt_bounds(ptr %p)
; LOOPS-LABEL: define void @fill(
; LOOPS: entry:
; LOOPS: [[COUNT:%.*]] = call i64 @llvm.umin.i64(
; LOOPS: [[WAY:%.*]] = mul i64 [[COUNT]], 4
; LOOPS: [[ALL:%.*]] = add i64 [[WAY]], 4
; LOOPS: call void @acre_rt_check_bounds(ptr {{.*}}, ptr {{.*}}, ptr %p, i64 [[ALL]], ptr @
; LOOPS: loop:
; LOOPS-NOT: acre_rt_
; LOOPS: ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @may_leave(ptr %p, i64 %n) {
; What a round calls may never come back: the check stays in the loop.
; LOOPS-LABEL: define void @may_leave(
; LOOPS: loop:
; LOOPS: acre_rt_check_bounds
; LOOPS: store i32 0
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @work()
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define ptr @goes_round(ptr %p, i64 %n) {
; A pointer that goes round comes from where it came in.
; CHECK-LABEL: define ptr @goes_round(
; CHECK: entry:
; CHECK-NEXT: call { ptr, ptr } @acre_rt_bounds(ptr %p)
; CHECK-NOT: acre_rt_bounds(
; CHECK: ret ptr
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 0, ptr %at
  %next = getelementptr inbounds i32, ptr %at, i64 1
  %v = load i32, ptr %next
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %done
done:
  ret ptr %at
}

define ptr @perhaps_undefined(ptr %p, i64 %i, i1 %c, i1 %d) {
; Where ways meet the base is that of the way; of a value that is undefined there is none.
; CHECK-LABEL: define ptr @perhaps_undefined(
; CHECK-NOT: acre_rt_check
; CHECK: meet:
; CHECK-NEXT: [[FOUND:%.*]] = phi ptr [ %p, %some ], [ null, %entry ]
; CHECK: out:
; CHECK-NEXT: [[BASE:%.*]] = phi ptr [ [[FOUND]], %meet ], [ %p, %other ]
; CHECK: call { ptr, ptr } @acre_rt_bounds(ptr [[BASE]])
; CHECK: call void @acre_rt_check_bounds(ptr %{{.*}}, ptr %{{.*}}, ptr %result, i64 0
; CHECK-NEXT: ret ptr %result
entry:
  br i1 %c, label %some, label %meet
some:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  br label %meet
meet:
  %found = phi ptr [ %at, %some ], [ undef, %entry ]
  br i1 %d, label %out, label %other
other:
  br label %out
out:
  %result = phi ptr [ %found, %meet ], [ %p, %other ]
  ret ptr %result
}

define void @checked_by_headers(ptr %p, ptr %f, ptr %w, i64 %n, i32 %m) {
; The size is where the headers' versions have it; wide characters have four bytes, and a size that
; would wrap is too large for any object.  What may stop earlier than it is told is not checked.
; CHECK-LABEL: define void @checked_by_headers(
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %p, i64 %n, ptr @
; CHECK-NEXT: call i64 @__read_chk(
; CHECK: [[LINE:%.*]] = zext i32 %m to i64
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %p, i64 [[LINE]], ptr @
; CHECK-NEXT: call ptr @__fgets_chk(
; CHECK: [[FEWER:%.*]] = call i64 @llvm.umin.i64(i64 %n, i64 4611686018427387903)
; CHECK-NEXT: [[BYTES:%.*]] = mul i64 [[FEWER]], 4
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %p, i64 {{%.*}}, ptr @
; CHECK: call void @acre_rt_check_bounds(ptr {{%.*}}, ptr {{%.*}}, ptr %w, i64 [[BYTES]], ptr @
; CHECK-NEXT: call ptr @__wmemcpy_chk(
; CHECK-NEXT: call ptr @memccpy(
; CHECK-NEXT: ret void
  call i64 @__read_chk(i32 0, ptr %p, i64 %n, i64 -1)
  call ptr @__fgets_chk(ptr %p, i64 -1, i32 %m, ptr %f)
  call ptr @__wmemcpy_chk(ptr %w, ptr %p, i64 %n, i64 -1)
  call ptr @memccpy(ptr %p, ptr %f, i32 0, i64 %n)
  ret void
}

declare i64 @__read_chk(i32, ptr, i64, i64)
declare ptr @__fgets_chk(ptr, i64, i32, ptr)
declare ptr @__wmemcpy_chk(ptr, ptr, i64, i64)
declare ptr @memccpy(ptr, ptr, i32, i64)
declare void @work()
