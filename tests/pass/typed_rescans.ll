; A small object of known type that was overwritten is looked at in line, by the rules of its slots.
; RUN: %opt -passes=acre-insert,acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A sameregion slot, a union, a number; b says that nothing else is searched.
@exact = private unnamed_addr constant [50 x i8] c"struct e;24;8;2;0;0,1,8,s,next;8,1,8,u,u;0,0,8,b,\00"
@whole = private unnamed_addr constant [43 x i8] c"struct w;16;8;2;0;0,1,8,a,up;8,1,8,u,value\00"
@handle = private unnamed_addr constant [43 x i8] c"struct h;16;8;2;0;0,1,8,S,in;8,1,8,u,value\00"
@packed = private unnamed_addr constant [43 x i8] c"struct p;16;4;2;0;0,1,8,a,up;8,1,8,u,value\00"
@odd = private unnamed_addr constant [43 x i8] c"struct o;16;8;2;0;4,1,8,a,up;8,1,8,u,value\00"
@long = private unnamed_addr constant [43 x i8] c"struct l;40;8;2;0;0,1,8,a,up;8,1,8,u,value\00"
@site = private unnamed_addr constant [8 x i8] c"a.c;7;f\00"
declare ptr @__acre_slot_record(ptr, ptr, ptr)

; The annotated slot is checked as for a store, the union's word compared with the window; the
; number is not read.
; CHECK-LABEL: @slots_of_an_object(
; CHECK: load ptr, ptr %{{.*}}, align 8, !nosanitize
; CHECK: icmp uge i64 %{{.*}}, 16384
; CHECK: call preserve_mostcc void @acre.warm.check_sameregion(
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: getelementptr inbounds i8, ptr %p, i64 8
; CHECK: load i64, ptr @acre_rt_window_tag
; CHECK-NOT: getelementptr inbounds i8, ptr %p, i64 16
; CHECK: br i1 %{{.*}}, !prof
; CHECK: call void @acre_rt_rescan_slots(ptr %p, i64 24,
define void @slots_of_an_object(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @exact, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: @whole_object(
; CHECK: call preserve_mostcc void @acre.warm.check_parentptr(
; CHECK: load i64, ptr @acre_rt_window_tag
; CHECK: br i1 %{{.*}}, !prof
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 16,
define void @whole_object(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @whole, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 16, i1 false)
  ret void
}

; Two objects of 16 bytes: the rules hold of each.
; CHECK-LABEL: @two_objects(
; CHECK-COUNT-2: call preserve_mostcc void @acre.warm.check_parentptr(
; CHECK: br i1 %{{.*}}, !prof
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 32,
define void @two_objects(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @whole, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 32, i1 false)
  ret void
}

; The runtime is asked where the words are many, or one of them is no slot of these kinds.
; CHECK-LABEL: @the_runtime_is_asked(
; CHECK-NOT: br i1
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 %n,
; CHECK-NOT: br i1
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 16,
; CHECK-NOT: br i1
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 16,
; CHECK-NOT: br i1
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 16,
; CHECK-NOT: br i1
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 40,
; CHECK-NOT: br i1
; CHECK: ret void
define void @the_runtime_is_asked(ptr %p, ptr %q, i64 %n) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @whole, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 %n, i1 false)
  %b = call ptr @__acre_slot_record(ptr %p, ptr @handle, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %q, i64 16, i1 false)
  %c = call ptr @__acre_slot_record(ptr %p, ptr @packed, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %q, i64 16, i1 false)
  %d = call ptr @__acre_slot_record(ptr %p, ptr @odd, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %q, i64 16, i1 false)
  %e = call ptr @__acre_slot_record(ptr %p, ptr @long, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %e, ptr %q, i64 40, i1 false)
  ret void
}
