; Markers are gone after the pass; what they said is in checks, typed rescans and merged constants.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s --implicit-check-not=__acre_
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%pair = type { ptr, ptr }

@layout = private unnamed_addr constant [53 x i8] c"struct a%3bb;16;8;2;0;0,1,8,s,next;8,1,8,p,other%2cx\00"
@site = private unnamed_addr constant [11 x i8] c"a%25.c;7;f\00"
@alloc = private unnamed_addr constant [75 x i8] c"\01acre.type:a%25.c;7;f|struct a%3bb;16;8;2;0;0,1,8,s,next;8,1,8,p,other%2cx\00"
@unknown = private unnamed_addr constant [20 x i8] c"\01acre.type:a.c;9;f|\00"
@table = internal constant [1 x ptr] [ptr @alloc]
declare ptr @__acre_slot_sameregion(ptr, ptr)
declare ptr @__acre_slot_parentptr(ptr, ptr)
declare ptr @__acre_slot_traditional(ptr, ptr)
declare ptr @__acre_slot_union(ptr)
declare ptr @__acre_slot_record(ptr, ptr, ptr)
declare ptr @__acre_deletes(ptr, ptr)
declare ptr @__acre_check_traditional(ptr, ptr)
declare void @deleter(ptr)
declare void @fill(ptr sret(%pair))

; CHECK: @table = internal constant [1 x ptr] [ptr @acre.site.[[SITE:[0-9a-f]+]]]
; CHECK-DAG: private unnamed_addr constant [8 x i8] c"other,x\00"
; CHECK-DAG: @acre.type.[[TYPE:[0-9a-f]+]] = linkonce_odr hidden constant {{.*}}i32 16, i32 8, i32 2, i32 2, i32 0
; CHECK-DAG: @acre.site.[[SITE]] = linkonce_odr hidden constant {{.*}}@acre.type.[[TYPE]]{{.*}}i32 7
; CHECK-DAG: @acre.site.[[NOTYPE:[0-9a-f]+]] = linkonce_odr hidden constant { ptr, ptr, ptr, i32 } { ptr null

; CHECK-LABEL: @rules(
; CHECK: call void @acre_rt_check_sameregion(ptr %p, ptr %v, ptr @acre.where
; CHECK-NEXT: store ptr %v, ptr %p, align 8, !mmra
; CHECK: call void @acre_rt_check_parentptr(ptr %p, ptr %v, ptr @acre.where
; CHECK-NEXT: store volatile ptr %v, ptr %p
; CHECK: call void @acre_rt_check_traditional(ptr %p, ptr %v, ptr @acre.where
; CHECK-NEXT: store ptr %v, ptr %p
; CHECK-NEXT: store ptr null, ptr %p, align 8, !mmra
; CHECK-NEXT: %r = load ptr, ptr %p, align 8, !mmra
define ptr @rules(ptr %p, ptr %v) {
  %a = call ptr @__acre_slot_sameregion(ptr %p, ptr @site)
  store ptr %v, ptr %a, align 8
  %b = call ptr @__acre_slot_parentptr(ptr %p, ptr @site)
  store volatile ptr %v, ptr %b, align 8
  %c = call ptr @__acre_slot_traditional(ptr %p, ptr @site)
  store ptr %v, ptr %c, align 8
  %d = call ptr @__acre_slot_sameregion(ptr %p, ptr @site)
  store ptr null, ptr %d, align 8
  %e = call ptr @__acre_slot_sameregion(ptr %p, ptr @site)
  %r = load ptr, ptr %e, align 8
  ret ptr %r
}

; CHECK-LABEL: @private_slot(
; CHECK-NOT: acre_rt_
; CHECK: ret ptr
define ptr @private_slot(ptr %v) {
  %s = alloca %pair
  %a = call ptr @__acre_slot_sameregion(ptr %s, ptr @site)
  store ptr %v, ptr %a
  %r = load ptr, ptr %s
  ret ptr %r
}

; CHECK-LABEL: @records(
; CHECK: %[[FIRST:.*]] = load ptr, ptr %q
; CHECK-NOT: !mmra
; CHECK: call void @acre_rt_check_sameregion(ptr %p, ptr %[[FIRST]], ptr @acre.where
; CHECK: %[[SECOND:.*]] = load ptr
; CHECK: call void @llvm.memcpy
; CHECK-NEXT: call void @acre_rt_store(ptr %{{.*}}, ptr %[[SECOND]])
; CHECK: call void @acre_rt_check_sameregion(ptr %p, ptr %x
; CHECK-NEXT: store ptr %x, ptr %p
; CHECK: store ptr %y, ptr %second
; CHECK-NEXT: call void @acre_rt_store(ptr %second, ptr %y)
; CHECK: call void @fill(ptr sret
; CHECK-NEXT: call void @acre_rt_rescan_typed(ptr %p, i64 16, ptr @acre.type.[[TYPE]]
define void @records(ptr %p, ptr %q, ptr %x, ptr %y) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 16, i1 false)
  %b = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  store ptr %x, ptr %b
  %second = getelementptr %pair, ptr %b, i32 0, i32 1
  store ptr %y, ptr %second
  %c = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  call void @fill(ptr sret(%pair) %c)
  ret void
}

; CHECK-LABEL: @unions(
; CHECK: store i64 %i, ptr %p
; CHECK: call void @acre_rt_store(ptr %p, ptr
; CHECK: store i32 1, ptr %p
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 4 %p, i64 4)
; CHECK: store double %d, ptr %p
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 8 %p, i64 8)
define void @unions(ptr %p, i64 %i, double %d) {
  %a = call ptr @__acre_slot_union(ptr %p)
  store i64 %i, ptr %a
  %b = call ptr @__acre_slot_union(ptr %p)
  store i32 1, ptr %b
  %c = call ptr @__acre_slot_union(ptr %p)
  store double %d, ptr %c
  ret void
}

; CHECK-LABEL: @sites(
; CHECK: call void @acre_rt_check_traditional(ptr null, ptr %v, ptr @acre.where
; CHECK: call void @deleter(ptr @acre.site.[[SITE]]) #[[DELETES:[0-9]+]]
; CHECK: ret ptr @acre.site.[[NOTYPE]]
define ptr @sites(ptr %v) {
  %checked = call ptr @__acre_check_traditional(ptr %v, ptr @site)
  %f = call ptr @__acre_deletes(ptr @deleter, ptr @site)
  call void %f(ptr @alloc)
  ret ptr @unknown
}
; CHECK: attributes #[[DELETES]] = { "acre-deletes"="a%25.c;7;f" }
