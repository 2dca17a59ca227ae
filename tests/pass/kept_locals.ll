; With -facre-locals a store of what may point to a local variable is noted, behind its barrier,
; unless it goes to the function's own variables; what is no local is not noted.  A variable whose
; address leaves the function is named where the function returns.  Without the option there is
; nothing.
; RUN: %opt -acre-locals -passes=acre-insert,acre-locals,verify -S %s | FileCheck %s
; RUN: %opt -passes=acre-insert,acre-locals,verify -S %s | FileCheck --check-prefix=OFF %s
; OFF-NOT: acre_rt_keep
; OFF-NOT: acre_rt_end
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@global = global ptr null
declare void @use(ptr)
declare noalias ptr @malloc(i64)

define void @parameter(ptr %p) {
; CHECK-LABEL: define void @parameter(
; CHECK: store ptr %p, ptr @global
; CHECK-NEXT: call void @acre_rt_store(ptr @global, ptr %p)
; CHECK-NEXT: call void @acre_rt_keep(ptr @global, ptr %p, ptr @
; CHECK-NEXT: ret void
  store ptr %p, ptr @global
  ret void
}

define void @no_local() {
; CHECK-LABEL: define void @no_local(
; CHECK-NOT: acre_rt_keep
; CHECK: ret void
  %p = call ptr @malloc(i64 8)
  store ptr %p, ptr @global
  store ptr @global, ptr @global
  ret void
}

define void @own(ptr %p) {
; CHECK-LABEL: define void @own(
; CHECK-NOT: acre_rt_keep
; CHECK: call void (ptr, ptr, ptr, ...) @acre_rt_end_frame(ptr @{{.*}}, ptr @{{.*}}, ptr null, ptr {{nocapture|captures\(address\)}} %local)
; CHECK-NEXT: ret void
  %local = alloca ptr
  store ptr %p, ptr %local
  call void @use(ptr %local)
  ret void
}

define ptr @result(ptr %p) {
; CHECK-LABEL: define ptr @result(
; CHECK: call void (ptr, ptr, ptr, ...) @acre_rt_end_frame(ptr @{{.*}}, ptr @{{.*}}, ptr %q, ptr {{nocapture|captures\(address\)}} %local)
; CHECK-NEXT: ret ptr %q
  %local = alloca ptr
  call void @use(ptr %local)
  %q = load ptr, ptr %local
  ret ptr %q
}

; The largest variable that ends with main is named to the runtime, where it starts.
define i32 @main() {
; CHECK-LABEL: define i32 @main(
; CHECK-NOT: acre_rt_local_lasts
; CHECK: call void @acre_rt_end_block(ptr {{.*}}%block
; CHECK: call void @llvm.lifetime.start{{.*}}%state)
; CHECK-NEXT: call void @acre_rt_local_lasts(ptr %state, i64 64)
; CHECK-NOT: acre_rt_local_lasts
; CHECK: ret i32 0
; OFF-NOT: acre_rt_local_lasts
  %small = alloca ptr
  %block = alloca [128 x i8]
  %state = alloca [64 x i8]
  call void @use(ptr %small)
  call void @llvm.lifetime.start.p0(i64 128, ptr %block)
  call void @use(ptr %block)
  call void @llvm.lifetime.end.p0(i64 128, ptr %block)
  call void @llvm.lifetime.start.p0(i64 64, ptr %state)
  call void @use(ptr %state)
  call void @llvm.lifetime.end.p0(i64 64, ptr %state)
  ret i32 0
}
