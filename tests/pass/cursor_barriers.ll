; A pointer that was read from its slot, and only moved, needs no barrier if the slot kept it
; meanwhile.
; RUN: %opt -passes=acre-cursor-barriers,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr) memory(inaccessiblemem: readwrite)
declare void @acre_rt_rescan(ptr, i64) memory(argmem: read, inaccessiblemem: readwrite)
declare void @acre_rt_check_sameregion(ptr, ptr, ptr) memory(inaccessiblemem: readwrite)
declare void @unknown()

; CHECK-LABEL: @moved(
; CHECK-NOT: call
; CHECK: ret void
define void @moved(ptr %b) {
  %slot = getelementptr i8, ptr %b, i64 8
  %p = load ptr, ptr %slot
  %q = getelementptr i8, ptr %p, i64 1
  store ptr %q, ptr %slot
  call void @acre_rt_store(ptr %slot, ptr %q)
  ret void
}

; Moved in a loop, by another name of the slot, and stored behind it once more.
; CHECK-LABEL: @moved_in_a_loop(
; CHECK-NOT: call
; CHECK: ret void
define void @moved_in_a_loop(ptr %b) {
entry:
  %slot = getelementptr i8, ptr %b, i64 8
  %p = load ptr, ptr %slot
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %c = load i8, ptr %q
  %r = getelementptr i8, ptr %q, i64 1
  %again = getelementptr i8, ptr %b, i64 8
  store ptr %r, ptr %again
  call void @acre_rt_store(ptr %again, ptr %r)
  %more = icmp eq i8 %c, 32
  br i1 %more, label %loop, label %end
end:
  store ptr %q, ptr %slot
  call void @acre_rt_store(ptr %slot, ptr %q)
  ret void
}

; What another slot of the object holds says nothing.
; CHECK-LABEL: @of_another_slot(
; CHECK: call void @acre_rt_store(
define void @of_another_slot(ptr %b) {
  %slot = getelementptr i8, ptr %b, i64 8
  %p = load ptr, ptr %b
  %q = getelementptr i8, ptr %p, i64 1
  store ptr %q, ptr %slot
  call void @acre_rt_store(ptr %slot, ptr %q)
  ret void
}

; CHECK-LABEL: @one_of_two(
; CHECK: call void @acre_rt_store(
define void @one_of_two(ptr %b, ptr %v, i1 %is) {
  %p = load ptr, ptr %b
  %q = select i1 %is, ptr %p, ptr %v
  store ptr %q, ptr %b
  call void @acre_rt_store(ptr %b, ptr %q)
  ret void
}

; The first store is dead to memory, but its barrier is not.
; CHECK-LABEL: @stored_between(
; CHECK-COUNT-2: call void @acre_rt_store(
define void @stored_between(ptr %b, ptr %v) {
  %p = load ptr, ptr %b
  call void @acre_rt_store(ptr %b, ptr %v)
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; CHECK-LABEL: @perhaps_stored_between(
; CHECK-COUNT-2: call void @acre_rt_store(
define void @perhaps_stored_between(ptr %b, ptr %a, ptr %v) {
  %p = load ptr, ptr %b
  store ptr %v, ptr %a
  call void @acre_rt_store(ptr %a, ptr %v)
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; CHECK-LABEL: @stored_on_one_way(
; CHECK-COUNT-2: call void @acre_rt_store(
define void @stored_on_one_way(ptr %b, ptr %v, i1 %is) {
  %p = load ptr, ptr %b
  br i1 %is, label %then, label %end
then:
  store ptr %v, ptr %b
  call void @acre_rt_store(ptr %b, ptr %v)
  br label %end
end:
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; Stored in the round before.
; CHECK-LABEL: @stored_in_a_loop(
; CHECK-COUNT-2: call void @acre_rt_store(
define void @stored_in_a_loop(ptr %b, ptr %v, i1 %is) {
  %p = load ptr, ptr %b
  br label %loop
loop:
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  store ptr %v, ptr %b
  call void @acre_rt_store(ptr %b, ptr %v)
  br i1 %is, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @called_between(
; CHECK: call void @acre_rt_store(
define void @called_between(ptr %b) {
  %p = load ptr, ptr %b
  call void @unknown()
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; CHECK-LABEL: @rescanned_between(
; CHECK: call void @acre_rt_store(
define void @rescanned_between(ptr %b, ptr %a) {
  %p = load ptr, ptr %b
  call void @acre_rt_rescan(ptr %a, i64 64)
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; CHECK-LABEL: @checked_between(
; CHECK: call void @acre_rt_store(
define void @checked_between(ptr %b, ptr %a) {
  %p = load ptr, ptr %b
  call void @acre_rt_check_sameregion(ptr %a, ptr %p, ptr null)
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; CHECK-LABEL: @volatile_read(
; CHECK: call void @acre_rt_store(
define void @volatile_read(ptr %b) {
  %p = load volatile ptr, ptr %b
  store ptr %p, ptr %b
  call void @acre_rt_store(ptr %b, ptr %p)
  ret void
}

; By as much as two blocks are apart: it is in the other one then.
; CHECK-LABEL: @followed_into_another_block(
; CHECK: call void @acre_rt_store(
define void @followed_into_another_block(ptr %b, ptr %new, ptr %old) {
  %p = load ptr, ptr %b
  %to = ptrtoint ptr %new to i64
  %from = ptrtoint ptr %old to i64
  %bytes = sub i64 %to, %from
  %words = sdiv exact i64 %bytes, 8
  %q = getelementptr inbounds i64, ptr %p, i64 %words
  store ptr %q, ptr %b
  call void @acre_rt_store(ptr %b, ptr %q)
  ret void
}
