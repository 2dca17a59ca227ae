; Every store of a pointer to memory that is not a private stack object is followed by its barrier.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i64 @integer_result()
declare { ptr, i64 } @pair_result()
@global = global ptr null
@other = global i32 0
@threadlocal = thread_local global ptr null

; CHECK-LABEL: @plain(
; CHECK: store ptr %v, ptr %p
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %v)
define void @plain(ptr %p, ptr %v) {
  store ptr %v, ptr %p
  ret void
}

; The address of a global, a function or a local is outside all regions: only the old record can
; matter.
; CHECK-LABEL: @constants(
; CHECK: store ptr @other, ptr %p
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr null)
; CHECK: store ptr null, ptr %p
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr null)
define void @constants(ptr %p) {
  store ptr @other, ptr %p
  store ptr null, ptr %p
  ret void
}

; CHECK-LABEL: @offset_from_null(
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
define void @offset_from_null(ptr %p, i64 %i) {
  %v = getelementptr i8, ptr null, i64 %i
  store ptr %v, ptr %p
  ret void
}

; CHECK-LABEL: @scalars(
; CHECK-NOT: acre_rt_
; CHECK: ret void
define void @scalars(ptr %p, i64 %i, double %d) {
  %sum = add i64 %i, 1
  store i64 %sum, ptr %p
  store double %d, ptr %p
  ret void
}

; CHECK-LABEL: @volatile_and_atomic(
; CHECK: store volatile ptr %v, ptr %p
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: store atomic ptr %v, ptr %p release
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: store atomic i64 %i, ptr %p seq_cst
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: atomicrmw xchg ptr %p, ptr %v
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: atomicrmw add ptr %p, i64 8
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: cmpxchg ptr %p, i64 0, i64 %i
; CHECK-NEXT: call void @acre_rt_reread(ptr %p)
; CHECK: cmpxchg ptr %p, i128 0, i128 %w
; CHECK-NEXT: call void @acre_rt_rescan(ptr %p, i64 16)
; CHECK: atomicrmw add ptr %p, i32 1
; CHECK-NEXT: ret void
define void @volatile_and_atomic(ptr %p, ptr %v, i64 %i, i128 %w) {
  store volatile ptr %v, ptr %p
  store atomic ptr %v, ptr %p release, align 8
  store atomic i64 %i, ptr %p seq_cst, align 8
  %a = atomicrmw xchg ptr %p, ptr %v seq_cst
  %b = atomicrmw add ptr %p, i64 8 seq_cst
  %c = cmpxchg ptr %p, i64 0, i64 %i seq_cst seq_cst
  %d = cmpxchg ptr %p, i128 0, i128 %w seq_cst seq_cst
  %e = atomicrmw add ptr %p, i32 1 seq_cst
  ret void
}

; What the code generator carries in integer registers may have been a pointer.
; CHECK-LABEL: @coerced(
; CHECK: store i64 %r, ptr %p
; CHECK-NEXT: %[[AS:.*]] = inttoptr i64 %r to ptr
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %[[AS]])
; CHECK: store { ptr, i64 } %s, ptr %p
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 8 %p, i64 16)
define void @coerced(ptr %p) {
  %r = call i64 @integer_result()
  store i64 %r, ptr %p
  %s = call { ptr, i64 } @pair_result()
  store { ptr, i64 } %s, ptr %p
  ret void
}

; CHECK-LABEL: @vectors(
; CHECK: store <2 x ptr> %v, ptr %p
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 16 %p, i64 16)
; CHECK: call void @llvm.masked.store
; CHECK: call void @acre_rt_rescan(ptr %{{.*}}, i64 %{{.*}})
; CHECK: call void @llvm.masked.scatter
; CHECK: call void @acre_rt_rescan(ptr %{{.*}}, i64 %{{.*}})
define void @vectors(ptr %p, <2 x ptr> %v, <2 x ptr> %to, <2 x i1> %m) {
  store <2 x ptr> %v, ptr %p
  call void @llvm.masked.store.v2p0.p0(<2 x ptr> %v, ptr %p, i32 8, <2 x i1> %m)
  call void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr> %v, <2 x ptr> %to, i32 8, <2 x i1> %m)
  ret void
}

; Segment-relative memory has no address to reconcile.
; CHECK-LABEL: @other_address_space(
; CHECK-NOT: acre_rt_
; CHECK: ret void
define void @other_address_space(ptr addrspace(256) %p, ptr %v) {
  store ptr %v, ptr addrspace(256) %p
  ret void
}

; CHECK-LABEL: @thread_local_variable(
; CHECK: store ptr %v, ptr %a
; CHECK-NEXT: call void @acre_rt_store(ptr %a, ptr %v)
define void @thread_local_variable(ptr %v) {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @threadlocal)
  store ptr %v, ptr %a
  ret void
}

; CHECK-LABEL: @assembly(
; CHECK: call void asm
; CHECK-NEXT: call void @acre_rt_reread(ptr @global)
define void @assembly(ptr %v) {
  call void asm sideeffect "mov $1,$0", "=*m,r,~{memory}"(ptr elementtype(ptr) @global, ptr %v)
  ret void
}

; CHECK-LABEL: @naked(
; CHECK-NOT: acre_rt_
; CHECK: unreachable
define void @naked(ptr %p) naked {
  store ptr null, ptr @global
  unreachable
}

; A resolver runs before the runtime can be called.
@chosen = ifunc void (), ptr @resolver
; CHECK-LABEL: @resolver(
; CHECK-NOT: acre_rt_
; CHECK: ret ptr
define ptr @resolver() {
  store ptr @plain, ptr @global
  ret ptr @plain
}
