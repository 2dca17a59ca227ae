; Private locals need nothing; exposed ones are released once on every way out of their scope and of
; the function.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%triple = type { ptr, ptr, ptr }
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: @private(
; CHECK-NOT: acre_rt_
; CHECK: ret ptr
define ptr @private(ptr %v, i64 %i, ptr %s) {
  %a = alloca [4 x ptr]
  %t = alloca %triple
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  %e = getelementptr [4 x ptr], ptr %a, i64 0, i64 %i
  store ptr %v, ptr %e
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 24, i1 false)
  call void @use(ptr byval(%triple) %t)
  %r = load ptr, ptr %e
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  ret ptr %r
}

; CHECK-LABEL: @exposed_to_scope_end(
; CHECK: store ptr %v, ptr %a
; CHECK-NEXT: call void @use(ptr %a)
; CHECK: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: call void @llvm.lifetime.end.p0({{(i64 -1, )?}}ptr %a)
; CHECK-NEXT: ret void
define void @exposed_to_scope_end(ptr %v) {
  %a = alloca ptr
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  store ptr %v, ptr %a
  call void @use(ptr %a)
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  ret void
}

; The early return has no end of life; the late one follows it.
; CHECK-LABEL: @exposed_early_return(
; CHECK: early:
; CHECK-NEXT: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: ret void
; CHECK: late:
; CHECK-NEXT: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: call void @llvm.lifetime.end.p0({{(i64 -1, )?}}ptr %a)
; CHECK-NEXT: ret void
define void @exposed_early_return(i1 %c) {
  %a = alloca ptr
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  call void @use(ptr %a)
  br i1 %c, label %early, label %late
early:
  ret void
late:
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  ret void
}

; Nothing in the loop deletes: one release at the exit is enough.
; CHECK-LABEL: @loop_reenters_scope(
; CHECK: body:
; CHECK-NOT: acre_rt_release
; CHECK: done:
; CHECK-NEXT: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: ret void
define void @loop_reenters_scope(i1 %c) {
  %a = alloca ptr
  br label %body
body:
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  call void @use(ptr %a)
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  br i1 %c, label %body, label %done
done:
  ret void
}

; CHECK-LABEL: @loop_deletes(
; CHECK: body:
; CHECK: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: call void @llvm.lifetime.end.p0({{(i64 -1, )?}}ptr %a)
; CHECK: done:
; CHECK-NEXT: ret void
define void @loop_deletes(i1 %c) {
  %a = alloca ptr
  br label %body
body:
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  call void @use(ptr %a)
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  call void @use(ptr null) "acre-deletes"="a.c;10;f"
  br i1 %c, label %body, label %done
done:
  ret void
}

; Not used on this way out: nothing to release.
; CHECK-LABEL: @unused_on_one_path(
; CHECK: skip:
; CHECK-NEXT: ret void
define void @unused_on_one_path(i1 %c) {
  %a = alloca ptr
  br i1 %c, label %skip, label %work
skip:
  ret void
work:
  call void @use(ptr %a)
  ret void
}

; CHECK-LABEL: @merged_addresses_expose(
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK: call void @acre_rt_release(
; CHECK: call void @acre_rt_release(
define ptr @merged_addresses_expose(i1 %c, ptr %v) {
  %a = alloca ptr
  %b = alloca ptr
  %p = select i1 %c, ptr %a, ptr %b
  store ptr %v, ptr %p
  %r = load ptr, ptr %a
  ret ptr %r
}

; CHECK-LABEL: @by_value_argument(
; CHECK-NEXT: call void @use(ptr %t)
; CHECK-NEXT: call void @acre_rt_release(ptr %t, i64 24)
define void @by_value_argument(ptr byval(%triple) %t) {
  call void @use(ptr %t)
  ret void
}

; CHECK-LABEL: @dynamic(
; CHECK: %[[BOTTOM:.*]] = call ptr @llvm.stacksave.p0()
; CHECK: store ptr %v, ptr %a
; CHECK: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
; CHECK-NEXT: call void @acre_rt_release_between(ptr %[[SP]], ptr %s)
; CHECK-NEXT: call void @llvm.stackrestore.p0(ptr %s)
; CHECK: call void @acre_rt_release_between(ptr %{{.*}}, ptr %[[BOTTOM]])
; CHECK-NEXT: ret void
define void @dynamic(i64 %n, ptr %v) {
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca ptr, i64 %n
  store ptr %v, ptr %a
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}

; CHECK-LABEL: @tail_call(
; CHECK: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: musttail call void @use(ptr %v)
define void @tail_call(ptr %v) {
  %a = alloca ptr
  call void @use(ptr %a)
  musttail call void @use(ptr %v)
  ret void
}

; CHECK-LABEL: @unwinding(
; CHECK: cleanup
; CHECK: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: resume
define void @unwinding() personality ptr @__gxx_personality_v0 {
  %a = alloca ptr
  invoke void @use(ptr %a) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
