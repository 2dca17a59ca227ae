; Allocations of small objects of known layout take place in line, and their calls are cold.
; RUN: %opt -passes=acre-allocate,verify -S %s | FileCheck %s
; RUN: %opt -passes=acre-allocate,acre-allocate,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%site = type { ptr, ptr, ptr, i32 }
%type = type { ptr, i32, i32, i32, i32, i32, ptr, ptr, ptr }
@node = constant %type { ptr null, i32 24, i32 8, i32 1, i32 1, i32 0, ptr null, ptr null, ptr null }
@numbers = constant %type { ptr null, i32 16, i32 16, i32 0, i32 0, i32 0, ptr null, ptr null, ptr null }
@node.site = constant %site { ptr @node, ptr null, ptr null, i32 1 }
@numbers.site = constant %site { ptr @numbers, ptr null, ptr null, i32 2 }
@foreign.site = external constant %site
declare ptr @acre_region_alloc(ptr, i64, i64, ptr)
declare ptr @acre_region_alloc_array(ptr, i64, i64, i64, ptr)
declare ptr @acre_region_alloc_bytes(ptr, i64)

; CHECK-LABEL: @object(
; CHECK: %[[CURRENT:.*]] = call ptr @llvm.threadlocal.address.p0(ptr @acre_rt_current)
; CHECK: icmp eq ptr %r,
; CHECK: br i1 {{.*}}, label %acre.try, label %[[SLOW:.*]], !prof
; CHECK: acre.try:
; CHECK: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %[[CURRENT]], i64 8
; CHECK: load ptr, ptr %[[FIELD]], {{.*}}!nosanitize
; CHECK: br i1 {{.*}}, label %[[SLOW]], label %acre.take, !prof
; CHECK: acre.take:
; CHECK: store ptr @node.site, ptr {{.*}}!nosanitize
; CHECK: store i16 24, ptr
; CHECK: add i64 {{.*}}, 16777240
; CHECK: [[SLOW]]:
; CHECK: call preserve_mostcc ptr @acre.cold.region_alloc(ptr %r, i64 24, i64 8, ptr @node.site)
; CHECK: phi ptr
define ptr @object(ptr %r) {
  %p = call ptr @acre_region_alloc(ptr %r, i64 24, i64 8, ptr @node.site)
  ret ptr %p
}

; Without pointers: the other allocator; one comparison finds counts of zero and those that are too
; large.
; CHECK-LABEL: @array(
; CHECK: sub i64 {{.*}}, 1
; CHECK: icmp ult i64 {{.*}}, 1024
; CHECK: acre.try:
; CHECK: getelementptr inbounds i8, ptr {{.*}}, i64 16
; CHECK: call ptr @llvm.ptrmask.p0.i64(ptr {{.*}}, i64 -16)
; CHECK: call preserve_mostcc ptr @acre.cold.region_alloc_array(
define ptr @array(ptr %r, i64 %n) {
  %p = call ptr @acre_region_alloc_array(ptr %r, i64 %n, i64 16, i64 16, ptr @numbers.site)
  ret ptr %p
}

; CHECK-LABEL: @bytes(
; CHECK: icmp ult i64 {{.*}}, 16384
; CHECK: acre.take:
; CHECK-NOT: store ptr @
; CHECK: call preserve_mostcc ptr @acre.cold.region_alloc_bytes(
define ptr @bytes(ptr %r, i64 %n) {
  %p = call ptr @acre_region_alloc_bytes(ptr %r, i64 %n)
  ret ptr %p
}

; What is too large, too strictly aligned or not known is called.
; CHECK-LABEL: @others(
; CHECK: call ptr @acre_region_alloc(ptr %r, i64 20000,
; CHECK: call ptr @acre_region_alloc(ptr %r, i64 64, i64 64,
; CHECK: call ptr @acre_region_alloc(ptr %r, i64 %n,
; CHECK: call ptr @acre_region_alloc(ptr %r, i64 8, i64 8, ptr @foreign.site)
; CHECK: ret void
define void @others(ptr %r, i64 %n) {
  call ptr @acre_region_alloc(ptr %r, i64 20000, i64 8, ptr @node.site)
  call ptr @acre_region_alloc(ptr %r, i64 64, i64 64, ptr @node.site)
  call ptr @acre_region_alloc(ptr %r, i64 %n, i64 8, ptr @node.site)
  call ptr @acre_region_alloc(ptr %r, i64 8, i64 8, ptr @foreign.site)
  ret void
}
