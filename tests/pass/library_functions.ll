; Library functions that free or move memory are replaced where they are called and where their
; address is taken.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
; RUN: %opt -passes='acre-insert,default<O2>,verify' -S %s | FileCheck %s --check-prefix=OPTIMISED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @table = global [2 x ptr] [ptr @acre_rt_free, ptr @acre_rt_realloc]
@table = global [2 x ptr] [ptr @free, ptr @realloc]
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @free_sized(ptr, i64)
declare ptr @realloc(ptr, i64)
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @munmap(ptr, i64)

; CHECK-LABEL: @calls(
; CHECK: call void @acre_rt_free(ptr %p)
; CHECK: call void @acre.free_sized(ptr %p, i64 8)
; CHECK: call ptr @acre_rt_realloc(ptr %p, i64 16)
; CHECK: call void @acre_rt_qsort(ptr %p
; CHECK: call i32 @acre_rt_munmap(ptr %p
define void @calls(ptr %p, ptr %compare) {
  call void @free(ptr %p)
  call void @free_sized(ptr %p, i64 8)
  %r = call ptr @realloc(ptr %p, i64 16)
  call void @qsort(ptr %p, i64 1, i64 8, ptr %compare)
  %m = call i32 @munmap(ptr %p, i64 4096)
  ret void
}

; CHECK: define internal void @acre.free_sized(ptr %0, i64 %1)
; CHECK: call void @acre_rt_free(ptr %0)

; A pair of malloc and free is still nothing.
; OPTIMISED-LABEL: @pair(
; OPTIMISED-NOT: call
; OPTIMISED: ret void
define void @pair() {
  %p = call ptr @malloc(i64 16)
  store i32 1, ptr %p
  call void @free(ptr %p)
  ret void
}
