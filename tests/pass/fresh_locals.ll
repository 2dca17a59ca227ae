; The parts of a local that may hold pointers, and may be copied before they are set, are null at
; first: nothing else is.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%struct.text = type { i64, ptr, ptr }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @unseen(ptr)
declare i64 @strlen(ptr)

; CHECK-LABEL: @copied_in_part(
; CHECK: %[[SECOND:.*]] = getelementptr inbounds i8, ptr %t, i64 16
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr {{.*}}%[[SECOND]], i8 0, i64 8
; CHECK-NOT: memset
; CHECK: ret void
define void @copied_in_part(ptr %to, ptr %v) {
  %t = alloca %struct.text
  store i64 1, ptr %t
  %first = getelementptr i8, ptr %t, i64 8
  store ptr %v, ptr %first
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %t, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: @given_away(
; CHECK: %[[FIRST:.*]] = getelementptr inbounds i8, ptr %t, i64 8
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr {{.*}}%[[FIRST]], i8 0, i64 16
define void @given_away() {
  %t = alloca %struct.text
  call void @unseen(ptr %t)
  ret void
}

; A member that is read by itself has been set.
; CHECK-LABEL: @read_by_members(
; CHECK-NOT: memset
; CHECK: ret ptr
define ptr @read_by_members(i1 %c, ptr %v) {
  %t = alloca %struct.text
  %first = getelementptr i8, ptr %t, i64 8
  br i1 %c, label %set, label %done
set:
  store ptr %v, ptr %first
  br label %done
done:
  %r = load ptr, ptr %first, !tbaa !0
  ret ptr %r
}

; CHECK-LABEL: @bytes(
; CHECK-NOT: memset
; CHECK: ret void
define void @bytes() {
  %b = alloca [64 x i8]
  call void @unseen(ptr %b)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"Simple C/C++ TBAA"}

; Memory of constant size that is taken behind other instructions is filled there, not before it
; exists.
; CHECK-LABEL: @taken_late(
; CHECK: %late = alloca %late.text
; CHECK: call void @llvm.memset
; CHECK: call void @llvm.memcpy
%late.text = type { i64, [8 x ptr] }
declare void @late_work()
define void @taken_late(ptr %to) {
  call void @late_work()
  %late = alloca %late.text, align 8
  store i64 1, ptr %late, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %late, i64 72, i1 false)
  ret void
}

; A unit that names no region clears more than a few words only where there has been a region.
; CHECK-LABEL: @large(
; CHECK: %[[HAD:.*]] = load i8, ptr @acre_rt_had_region
; CHECK: %[[EVER:.*]] = icmp ne i8 %[[HAD]], 0
; CHECK: br i1 %[[EVER]], label %[[CLEAR:.*]], label %[[ON:.*]]
; CHECK: [[CLEAR]]:
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr {{.*}}, i8 0, i64 64
; CHECK: [[ON]]:
; CHECK-NEXT: call void @unseen(
%large.text = type { [8 x ptr] }
define void @large() {
  %t = alloca %large.text
  call void @unseen(ptr %t)
  ret void
}

; An object of constant size stays one.
; CHECK-LABEL: @large_before_another(
; CHECK-NOT: load i8, ptr @acre_rt_had_region
; CHECK: ret void
define void @large_before_another() {
  %t = alloca %large.text
  call void @late_work()
  %n = alloca i32
  call void @unseen(ptr %t)
  call void @unseen(ptr %n)
  ret void
}
