; The optimizer makes one copy of two, of which one had the rule of a slot. No tag or two rules
; stay, which were not forgotten before code was made, so that the code generator warned (zstd).
; RUN: %acre-cc -O2 -S -x ir %s -o %t.s 2>&1 | FileCheck --allow-empty --check-prefix=SAID %s
; RUN: %acre-cc -O2 -S -emit-llvm -x ir %s -o - | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; SAID-NOT: metadata

; CHECK-LABEL: @copies(
; CHECK: @llvm.memcpy
; CHECK-NOT: !mmra
; CHECK: load ptr, ptr %q, align 8, !mmra ![[OTHERS:[0-9]+]]
; CHECK: ![[OTHERS]] = !{!"other", !"tag"}
define ptr @copies(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 28, i1 false), !mmra !0
  %next = getelementptr i8, ptr %p, i64 64
  call void @llvm.memcpy.p0.p0.i64(ptr %next, ptr %q, i64 28, i1 false), !mmra !1
  %r = load ptr, ptr %q, align 8, !mmra !4
  ret ptr %r
}

!0 = !{}
!1 = !{!2, !3}
!2 = !{!"acre.slot", !"union"}
!3 = !{!"acre.slot", !"numbers"}
!4 = !{!"other", !"tag"}
