; A parameter that is given nothing but locals of functions without pins needs no barriers: their
; frames are not counted.
; RUN: %opt -passes=acre-frame-parameters,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%pair = type { ptr, ptr }
declare void @acre_rt_store(ptr, ptr)
declare void @acre_rt_rescan(ptr, i64)
declare void @acre_rt_pin(ptr, ptr)
declare void @acre_rt_unpin(ptr)
declare void @deletes(ptr)
declare ptr @acre_scope_enter(ptr, ptr)
declare void @acre_scope_leave(ptr)

; CHECK-LABEL: @of_locals(
; CHECK-NOT: acre_rt_
; CHECK: ret void
define internal void @of_locals(ptr %p, ptr %v) {
  %second = getelementptr inbounds %pair, ptr %p, i64 0, i32 1
  store ptr %v, ptr %second
  call void @acre_rt_store(ptr %second, ptr %v)
  call void @acre_rt_rescan(ptr %p, i64 16)
  ret void
}
; The same, one call further down, and in a cycle.
; CHECK-LABEL: @passed_on(
; CHECK-NOT: acre_rt_
; CHECK: ret void
define internal void @passed_on(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @of_locals(ptr %p, ptr %v)
  call void @passed_on(ptr %p, ptr %v)
  call void @passed_on(ptr null, ptr %v)
  ret void
}
define void @local(ptr %v) {
  %x = alloca %pair
  call void @passed_on(ptr %x, ptr %v)
  call void @of_locals(ptr %x, ptr %v)
  ret void
}

; What is stored through what is read from a local, and through the other parameter, is another
; matter.
; CHECK-LABEL: @through_contents(
; CHECK: call void @acre_rt_store(ptr %q, ptr %v)
; CHECK: call void @acre_rt_store(ptr %v, ptr %p)
define internal void @through_contents(ptr %p, ptr %v) {
  %q = load ptr, ptr %p
  call void @acre_rt_store(ptr %q, ptr %v)
  call void @acre_rt_store(ptr %v, ptr %p)
  ret void
}
define void @local_of_pointers(ptr %v) {
  %x = alloca %pair
  call void @through_contents(ptr %x, ptr %v)
  ret void
}

; A frame that waits in a call that may delete is counted.
; CHECK-LABEL: @of_waiting_frame(
; CHECK: call void @acre_rt_store
define internal void @of_waiting_frame(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}
define internal void @deleting(ptr %p, ptr %v) {
  call void @of_waiting_frame(ptr %p, ptr %v)
  call void @deletes(ptr %v)
  ret void
}
define void @waiting(ptr %v) {
  %x = alloca %pair
  %pins = alloca [16 x i64]
  call void @acre_rt_pin(ptr %pins, ptr null)
  call void @deleting(ptr %x, ptr %v)
  call void @acre_rt_unpin(ptr %pins)
  ret void
}

; So are the callers' frames while the region of a block is there.
; CHECK-LABEL: @in_scope(
; CHECK: call void @acre_rt_store
define internal void @in_scope(ptr %p, ptr %v) {
  %scope = alloca [4 x i64]
  %r = call ptr @acre_scope_enter(ptr %scope, ptr null)
  call void @acre_rt_store(ptr %p, ptr %r)
  call void @below_scope(ptr %p, ptr %r)
  call void @acre_scope_leave(ptr %scope)
  ret void
}
; CHECK-LABEL: @below_scope(
; CHECK: call void @acre_rt_store
define internal void @below_scope(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}
define void @callers_local(ptr %v) {
  %x = alloca %pair
  call void @in_scope(ptr %x, ptr %v)
  ret void
}

; One call gives something else.
; CHECK-LABEL: @of_either(
; CHECK: call void @acre_rt_store
define internal void @of_either(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}
define void @both(ptr %v) {
  %x = alloca %pair
  call void @of_either(ptr %x, ptr %v)
  call void @of_either(ptr %v, ptr %v)
  ret void
}

; Not all calls are in view.
; CHECK-LABEL: @called_elsewhere(
; CHECK: call void @acre_rt_store
define void @called_elsewhere(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}
; CHECK-LABEL: @address_taken(
; CHECK: call void @acre_rt_store
define internal void @address_taken(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}
define ptr @takes() {
  %x = alloca %pair
  call void @called_elsewhere(ptr %x, ptr %x)
  call void @address_taken(ptr %x, ptr %x)
  ret ptr @address_taken
}
