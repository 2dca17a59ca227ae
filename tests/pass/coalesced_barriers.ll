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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

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

; An object that is taken from a list or allocated is the one that comes this way.
; CHECK-LABEL: @chosen_object(
; CHECK: recycled:
; CHECK-NOT: call void @acre_rt_store(ptr %old, ptr null)
; CHECK: both:
; CHECK: call void @acre_rt_store(ptr %object, ptr %v)
define void @chosen_object(ptr %old, ptr %new, ptr %v, i1 %c) {
entry:
  br i1 %c, label %recycled, label %both
recycled:
  store ptr null, ptr %old
  call void @acre_rt_store(ptr %old, ptr null)
  br label %both
both:
  %object = phi ptr [ %old, %recycled ], [ %new, %entry ]
  store ptr %v, ptr %object
  call void @acre_rt_store(ptr %object, ptr %v)
  ret void
}

; On this way the other object is chosen, or another slot of the same.
; CHECK-LABEL: @other_object_chosen(
; CHECK: first:
; CHECK: call void @acre_rt_store(ptr %new, ptr null)
; CHECK: second:
; CHECK: call void @acre_rt_store(ptr %new, ptr null)
; CHECK: both:
define void @other_object_chosen(ptr %old, ptr %new, ptr %v, i1 %c) {
entry:
  br i1 %c, label %first, label %second
first:
  call void @acre_rt_store(ptr %new, ptr null)
  br label %both
second:
  call void @acre_rt_store(ptr %new, ptr null)
  %beside = getelementptr i8, ptr %new, i64 8
  br label %both
both:
  %object = phi ptr [ %old, %first ], [ %beside, %second ]
  call void @acre_rt_store(ptr %object, ptr %v)
  ret void
}

; The object of this round is not that of the last one.
; CHECK-LABEL: @chosen_in_each_round(
; CHECK: entry:
; CHECK-NEXT: call void @acre_rt_store(ptr %new, ptr null)
; CHECK: loop:
; CHECK: call void @acre_rt_store(ptr %next, ptr null)
; CHECK: br i1
define void @chosen_in_each_round(ptr %new, ptr %v, ptr %w, i1 %c) {
entry:
  call void @acre_rt_store(ptr %new, ptr null)
  br label %loop
loop:
  %object = phi ptr [ %new, %entry ], [ %next, %loop ]
  call void @unknown()
  call void @acre_rt_store(ptr %object, ptr %v)
  %next = load ptr, ptr %w
  call void @acre_rt_store(ptr %next, ptr null)
  br i1 %c, label %loop, label %end
end:
  ret void
}

; What is stored again before anything reads need not be looked at.
; CHECK-LABEL: @words_stored_after_a_copy(
; CHECK: %[[REST:.*]] = getelementptr inbounds{{.*}} i8, ptr %p, i64 8
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 8 %[[REST]], i64 48)
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK: call void @acre_rt_store(ptr %last, ptr %v)
define void @words_stored_after_a_copy(ptr %p, ptr %from, ptr %v) {
  %last = getelementptr i8, ptr %p, i64 56
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %from, i64 64, i1 false)
  call void @acre_rt_rescan(ptr align 16 %p, i64 64)
  store ptr %v, ptr %p
  call void @acre_rt_store(ptr %p, ptr %v)
  store ptr %v, ptr %last
  call void @acre_rt_store(ptr %last, ptr %v)
  ret void
}

; Another slot in between, a word that is read as the copy left it, one that a call may look at, a
; part of a word, and what may be misaligned.
; CHECK-LABEL: @words_looked_at_after_a_copy(
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 64)
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 24)
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 32)
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 12)
; CHECK: call void @acre_rt_rescan(ptr %p, i64 40)
define ptr @words_looked_at_after_a_copy(ptr %p, ptr %v) {
  %inner = getelementptr i8, ptr %p, i64 16
  %part = getelementptr i8, ptr %p, i64 4
  call void @acre_rt_rescan(ptr align 8 %p, i64 64)
  call void @acre_rt_store(ptr %inner, ptr %v)
  call void @unknown()
  call void @acre_rt_rescan(ptr align 8 %p, i64 24)
  %seen = load ptr, ptr %p
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @unknown()
  call void @acre_rt_rescan(ptr align 8 %p, i64 32)
  call void @unknown()
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @unknown()
  call void @acre_rt_rescan(ptr align 8 %p, i64 12)
  call void @acre_rt_store(ptr %part, ptr %v)
  call void @unknown()
  call void @acre_rt_rescan(ptr %p, i64 40)
  call void @acre_rt_store(ptr %p, ptr %v)
  ret ptr %seen
}
