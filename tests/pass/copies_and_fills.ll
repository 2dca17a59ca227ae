; A copy is rescanned, a fill or a copy of constants released; what proves that no pointer is copied
; needs nothing.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = private constant [4 x ptr] zeroinitializer
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @mempcpy(ptr, ptr, i64)
declare void @bcopy(ptr, ptr, i64)
declare void @bzero(ptr, i64)
declare ptr @memccpy(ptr, ptr, i32, i64)
declare ptr @__memmove_chk(ptr, ptr, i64, i64)
declare ptr @wmemcpy(ptr, ptr, i64)
declare void @__atomic_store(i64, ptr, ptr, i32)
declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)
declare void @__atomic_store_16(ptr, i128, i32)

; CHECK-LABEL: @intrinsics(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK: call void @llvm.memmove.p0.p0.i32(ptr %d, ptr %s, i32 %m
; CHECK: call void @acre_rt_rescan(ptr %d, i64 %{{.*}})
; CHECK: call void @llvm.memset.p0.i64(ptr %d
; CHECK-NEXT: call void @acre_rt_release(ptr %d, i64 %n)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @table
; CHECK-NEXT: call void @acre_rt_release(ptr %d, i64 32)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 4
; CHECK-NEXT: ret void
define void @intrinsics(ptr %d, ptr %s, i64 %n, i32 %m) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr %d, ptr %s, i32 %m, i1 true)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @table, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 4, i1 false)
  ret void
}

; CHECK-LABEL: @library(
; CHECK: call ptr @memcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK: call ptr @mempcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK: call void @bcopy(ptr %s, ptr %d
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK: call void @bzero
; CHECK-NEXT: call void @acre_rt_release(ptr %d, i64 %n)
; CHECK: call ptr @__memmove_chk
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK: %[[W:.*]] = mul i64 %n, 4
; CHECK: call ptr @wmemcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %[[W]])
; CHECK: %end = call ptr @memccpy
; CHECK: %[[E:.*]] = select i1 %{{.*}}, i64 %n, i64 %{{.*}}
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %[[E]])
define void @library(ptr %d, ptr %s, i64 %n) {
  %a = call ptr @memcpy(ptr %d, ptr %s, i64 %n)
  %b = call ptr @mempcpy(ptr %d, ptr %s, i64 %n)
  call void @bcopy(ptr %s, ptr %d, i64 %n)
  call void @bzero(ptr %d, i64 %n)
  %c = call ptr @__memmove_chk(ptr %d, ptr %s, i64 %n, i64 -1)
  %w = call ptr @wmemcpy(ptr %d, ptr %s, i64 %n)
  %end = call ptr @memccpy(ptr %d, ptr %s, i32 0, i64 %n)
  ret void
}

; CHECK-LABEL: @guaranteed_tail_call(
; CHECK: %r = call ptr @memcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 %n)
; CHECK-NEXT: ret ptr %r
define ptr @guaranteed_tail_call(ptr %d, ptr %s, i64 %n) {
  %r = musttail call ptr @memcpy(ptr %d, ptr %s, i64 %n)
  ret ptr %r
}

; CHECK-LABEL: @libatomic(
; CHECK: call void @__atomic_store(i64 24
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 24)
; CHECK: call void @__atomic_exchange(i64 24
; CHECK-DAG: call void @acre_rt_rescan(ptr %d, i64 24)
; CHECK-DAG: call void @acre_rt_rescan(ptr %r, i64 24)
; CHECK: call void @__atomic_store_16
; CHECK-NEXT: call void @acre_rt_rescan(ptr %d, i64 16)
define void @libatomic(ptr %d, ptr %s, ptr %r, i128 %w) {
  call void @__atomic_store(i64 24, ptr %d, ptr %s, i32 5)
  call void @__atomic_exchange(i64 24, ptr %d, ptr %s, ptr %r, i32 5)
  call void @__atomic_store_16(ptr %d, i128 %w, i32 5)
  ret void
}

; CHECK-LABEL: @typed_scalars(
; CHECK-NOT: acre_rt_
; CHECK: ret void
define void @typed_scalars(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; CHECK-LABEL: @typed_with_pointer(
; CHECK: call void @acre_rt_rescan(ptr %d, i64 16)
define void @typed_with_pointer(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 16, i1 false), !tbaa.struct !6
  ret void
}

!0 = !{i64 0, i64 8, !1, i64 8, i64 4, !3}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !5}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5}
!5 = !{!"omnipotent char"}
!6 = !{i64 0, i64 8, !7, i64 8, i64 4, !3}
!7 = !{!8, !8, i64 0}
!8 = !{!"any pointer", !5}
