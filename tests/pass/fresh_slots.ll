; A slot of an object that was just made, in which nothing was counted yet, has no record: its line
; is not asked.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr)
declare ptr @acre_region_alloc(i64, ptr, i64)
declare ptr @acre_region_extend_array(i64, ptr, ptr, i64)
declare i64 @length(ptr captures(none)) memory(argmem: read)
declare void @other(ptr)

; What others do does not matter as long as they do not get the address.
; CHECK-LABEL: @fresh(
; CHECK-NOT: acre_rt_eager_lines
; CHECK: call preserve_mostcc void @acre.far.store(ptr %o, ptr %a)
; CHECK-NOT: acre_rt_eager_lines
; CHECK: call preserve_mostcc void @acre.far.store(ptr %next, ptr %b)
; CHECK-NOT: acre_rt_eager_lines
; CHECK: ret void
define void @fresh(i64 %r, ptr %a, ptr %b) {
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  store ptr %a, ptr %o
  call void @acre_rt_store(ptr %o, ptr %a)
  call void @other(ptr %a)
  %n = call i64 @length(ptr %o)
  %next = getelementptr i8, ptr %o, i64 8
  store ptr %b, ptr %next
  call void @acre_rt_store(ptr %next, ptr %b)
  ret void
}

; CHECK-LABEL: @null(
; CHECK-NOT: {{acre_rt|acre\.}}
; CHECK: ret void
define void @null(i64 %r) {
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  store ptr null, ptr %o
  call void @acre_rt_store(ptr %o, ptr null)
  ret void
}

; CHECK-LABEL: @overwritten(
; CHECK-NOT: acre_rt_eager_lines
; CHECK: call preserve_mostcc void @acre.far.store(ptr %o, ptr %a)
; CHECK: acre_rt_eager_lines
; CHECK: call preserve_mostcc void @acre.near.store(ptr %o, ptr %b)
define void @overwritten(i64 %r, ptr %a, ptr %b) {
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  call void @acre_rt_store(ptr %o, ptr %a)
  call void @other(ptr %a)
  call void @acre_rt_store(ptr %o, ptr %b)
  ret void
}

; CHECK-LABEL: @published(
; CHECK: call preserve_mostcc void @acre.near.store(ptr %o, ptr %v)
define void @published(i64 %r, ptr %p, ptr %v) {
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  store ptr %o, ptr %p
  call void @other(ptr null)
  call void @acre_rt_store(ptr %o, ptr %v)
  ret void
}

; In a loop each object is a new one: what became of the last one does not matter.
; CHECK-LABEL: @made_in_loop(
; CHECK-NOT: acre.near.store(ptr %o
; CHECK: ret void
define void @made_in_loop(i64 %r, ptr %v, i1 %more) {
entry:
  br label %loop
loop:
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  br i1 %more, label %store, label %store
store:
  call void @acre_rt_store(ptr %o, ptr %v)
  call void @other(ptr %o)
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @stored_in_loop(
; CHECK: call preserve_mostcc void @acre.near.store(ptr %o, ptr %v)
define void @stored_in_loop(i64 %r, ptr %v, i1 %more) {
entry:
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 16)
  br label %loop
loop:
  call void @acre_rt_store(ptr %o, ptr %v)
  call void @other(ptr null)
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Which of an array's slots an earlier store was to is not known.
; CHECK-LABEL: @unknown_slot(
; CHECK: call preserve_mostcc void @acre.near.store(ptr %q, ptr %v)
define void @unknown_slot(i64 %r, i64 %i, i64 %j, ptr %v) {
  %o = call ptr @acre_region_alloc(i64 %r, ptr null, i64 160)
  %p = getelementptr ptr, ptr %o, i64 %i
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @other(ptr null)
  %q = getelementptr ptr, ptr %o, i64 %j
  call void @acre_rt_store(ptr %q, ptr %v)
  ret void
}

; An array that moves takes its records along.
; CHECK-LABEL: @extended(
; CHECK: call preserve_mostcc void @acre.near.store(ptr %o, ptr %v)
define void @extended(i64 %r, ptr %array, ptr %v) {
  %o = call ptr @acre_region_extend_array(i64 %r, ptr null, ptr %array, i64 16)
  call void @acre_rt_store(ptr %o, ptr %v)
  ret void
}
