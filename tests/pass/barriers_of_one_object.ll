; Adjacent barriers of one object's slots: of slots that are cleared one test of where the first and
; the last one are, and in units that name no region one test of whether anything is counted at all.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr)

; CHECK-LABEL: @cleared(
; CHECK-NOT: acre_rt_active
; CHECK-COUNT-2: getelementptr inbounds i8, ptr @acre_rt_eager_lines
; CHECK: br i1
; CHECK-COUNT-3: call preserve_mostcc void @acre.near.store(ptr %{{.}}, ptr null)
; CHECK-NOT: acre_rt_eager_lines
; CHECK: ret void
define void @cleared(ptr %base) {
  %p = getelementptr i8, ptr %base, i64 8
  %q = getelementptr i8, ptr %base, i64 24
  %r = getelementptr i8, ptr %base, i64 16
  call void @acre_rt_store(ptr %p, ptr null)
  call void @acre_rt_store(ptr %q, ptr null)
  call void @acre_rt_store(ptr %r, ptr null)
  ret void
}

; CHECK-LABEL: @stored(
; CHECK-COUNT-1: load i8, ptr @acre_rt_active
; CHECK-NOT: acre_rt_active
; CHECK-COUNT-2: call preserve_mostcc void @acre.any.store(
; CHECK: ret void
define void @stored(ptr %base, ptr %v, ptr %w) "acre-asks-active" {
  %p = getelementptr i8, ptr %base, i64 8
  %q = getelementptr i8, ptr %base, i64 16
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @acre_rt_store(ptr %q, ptr %w)
  ret void
}

; CHECK-LABEL: @other_objects(
; CHECK-COUNT-2: load i8, ptr @acre_rt_active
define void @other_objects(ptr %a, ptr %b) "acre-asks-active" {
  %p = getelementptr i8, ptr %a, i64 8
  %q = getelementptr i8, ptr %b, i64 16
  call void @acre_rt_store(ptr %p, ptr null)
  call void @acre_rt_store(ptr %q, ptr null)
  ret void
}
