; A module that defines free itself means its own.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s --implicit-check-not=acre_rt_free
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define void @free(ptr %p) {
  ret void
}
; CHECK-LABEL: @caller(
; CHECK: call void @free(ptr %p)
define void @caller(ptr %p) {
  call void @free(ptr %p)
  ret void
}
