; Each remaining barrier is behind its inline test, and its call is cold.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
; RUN: %opt -passes=acre-lower,acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr)
declare void @acre_rt_rescan(ptr, i64)
declare void @acre_rt_release(ptr, i64)
declare void @acre_rt_reread(ptr)

; CHECK-LABEL: @stores(
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK: br i1 %{{.*}}, !prof
; CHECK-NOT: acre_rt_active
; CHECK: freeze ptr %v
; CHECK: %[[PAGES:.*]] = load atomic i64, ptr @acre_rt_window_pages acquire, {{.*}}!nosanitize
; CHECK: %[[PAGE:.*]] = lshr i64 %{{.*}}, 14
; CHECK: icmp ult i64 %[[PAGE]], %[[PAGES]]
; CHECK: load i64, ptr @acre_rt_window_base, {{.*}}!nosanitize
; CHECK: icmp ult i64 %{{.*}}, %[[PAGES]]
; CHECK: load ptr, ptr @acre_rt_page_map, {{.*}}!nosanitize
; CHECK: %[[IS_OTHER:.*]] = icmp ne i32
; CHECK: br i1 %[[IS_OTHER]]
; CHECK: %[[IS_SAME:.*]] = icmp eq i32
; CHECK: br i1 %[[IS_SAME]]
; CHECK: call preserve_mostcc void @acre.far.store(ptr %p, ptr %v)
; CHECK: %[[SLOT:.*]] = ptrtoint ptr %p to i64
; CHECK: lshr i64 %[[SLOT]], 6
; CHECK: load i8, {{.*}}!nosanitize
; CHECK: br i1 %{{.*}}, !prof
; CHECK: call preserve_mostcc void @acre.near.store(ptr %p, ptr %v)
define void @stores(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; CHECK-LABEL: @store_of_null(
; CHECK-NOT: acre_rt_window
; CHECK: call preserve_mostcc void @acre.near.store(ptr %p, ptr null)
; CHECK: ret void
define void @store_of_null(ptr %p) {
  call void @acre_rt_store(ptr %p, ptr null)
  ret void
}

; Few whole words are looked at in line; more of them, or of unknown alignment, by the runtime.
; CHECK-LABEL: @copies_of_words(
; CHECK-COUNT-2: load i8, ptr %{{.*}}!nosanitize
; CHECK-COUNT-8: icmp eq i64 %{{.*}}, %{{.*}}
; CHECK: br i1 %{{.*}}, !prof
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 64)
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 72)
; CHECK-NEXT: call void @acre_rt_rescan(ptr %p, i64 64)
; CHECK-NEXT: ret void
define void @copies_of_words(ptr %p) {
  call void @acre_rt_rescan(ptr align 8 %p, i64 64)
  call void @acre_rt_rescan(ptr align 8 %p, i64 72)
  call void @acre_rt_rescan(ptr %p, i64 64)
  ret void
}

; In a unit that names no region.
; CHECK-LABEL: @ranges(
; CHECK: load i8, ptr @acre_rt_active
; CHECK: call preserve_mostcc void @acre.cold.rescan(
; CHECK: load i8, ptr @acre_rt_active
; CHECK: call preserve_mostcc void @acre.cold.release(
; CHECK: load i8, ptr @acre_rt_active
; CHECK: call preserve_mostcc void @acre.warm.reread(ptr %p)
define void @ranges(ptr %p, i64 %n) "acre-asks-active" {
  call void @acre_rt_rescan(ptr %p, i64 %n)
  call void @acre_rt_release(ptr %p, i64 %n)
  call void @acre_rt_reread(ptr %p)
  ret void
}

; A part of a word that cannot lie across two is looked at with the whole word.
; CHECK-LABEL: @part_of_a_word(
; CHECK: %[[AT:.*]] = ptrtoint ptr %p to i64
; CHECK: and i64 %[[AT]], -8
; CHECK: load i8, {{.*}}!nosanitize
; CHECK: load i64, ptr %{{.*}}!nosanitize
; CHECK: call preserve_mostcc void @acre.warm.rescan(ptr align 4 %p, i64 4)
; CHECK: call void @acre_rt_rescan(ptr align 2 %p, i64 4)
define void @part_of_a_word(ptr %p) {
  call void @acre_rt_rescan(ptr align 4 %p, i64 4)
  call void @acre_rt_rescan(ptr align 2 %p, i64 4)
  ret void
}

; Of a word whose lower half was stored the upper one is read.
; CHECK-LABEL: @lower_half(
; CHECK: getelementptr {{.*}}i8, ptr %{{.*}}, i64 4
; CHECK-NOT: load i64, ptr %{{[0-9]}}
; CHECK: call preserve_mostcc void @acre.warm.rescan(ptr align 8 %p, i64 4)
define void @lower_half(ptr %p) {
  call void @acre_rt_rescan(ptr align 8 %p, i64 4)
  ret void
}

; A copy of any size and the search of it are one call, if nothing is written between.
; CHECK-LABEL: @copies(
; CHECK-NEXT: call void @acre_rt_copy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: %v = load i32, ptr %q
; CHECK-NEXT: call void @acre_rt_copy(ptr %q, ptr %p, i64 %n)
; CHECK-NEXT: ret i32 %v
define i32 @copies(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  %v = load i32, ptr %q
  call void @acre_rt_rescan(ptr %p, i64 %n)
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  call void @acre_rt_rescan(ptr %q, i64 %n)
  ret i32 %v
}
; Likewise a fill, with what ends there.
; CHECK-LABEL: @fills(
; CHECK-NEXT: call void @acre_rt_fill(ptr %p, i32 0, i64 %n)
; CHECK-NEXT: ret void
define void @fills(ptr %p, i64 %n) "acre-asks-active" {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  call void @acre_rt_release(ptr %p, i64 %n)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

; Not one whose bytes are written again, a volatile one, or one that a sanitizer is to see.
; CHECK-LABEL: @copies_by_themselves(
; CHECK-NOT: acre_rt_copy
; CHECK: define void @sanitized_copy(
; CHECK-NOT: acre_rt_copy
; CHECK: ret void
define void @copies_by_themselves(ptr %p, ptr %q, i64 %n, ptr %v) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  store ptr %v, ptr %p
  call void @acre_rt_rescan(ptr %p, i64 %n)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 true)
  call void @acre_rt_rescan(ptr %p, i64 %n)
  ret void
}
define void @sanitized_copy(ptr %p, ptr %q, i64 %n) sanitize_address {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @acre_rt_rescan(ptr %p, i64 %n)
  ret void
}

; One test serves all objects of a small frame.
; CHECK-LABEL: @frame(
; CHECK: load i8
; CHECK-NOT: load i8
; CHECK: br i1
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK: br i1
; CHECK: call void @acre_rt_release(ptr %a, i64 8)
; CHECK-NEXT: call void @acre_rt_release(ptr %b, i64 8)
; CHECK-NEXT: call void @acre_rt_release(ptr %c, i64 8)
define void @frame() {
  %a = alloca ptr
  %b = alloca ptr
  %c = alloca ptr
  call void @acre_rt_release(ptr %a, i64 8)
  call void @acre_rt_release(ptr %b, i64 8)
  call void @acre_rt_release(ptr %c, i64 8)
  ret void
}

; What a function stores that this one waits for may be counted: both ends are tested.
; CHECK-LABEL: @frame_that_waits(
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK-NOT: acre_rt_stack
; CHECK: call void @acre_rt_release(ptr %a, i64 16)
define void @frame_that_waits(ptr %pins, ptr %site) {
  %a = alloca [2 x ptr]
  call void @acre_rt_pin(ptr %pins, ptr %site)
  call void @deletes(ptr %a)
  call void @acre_rt_unpin(ptr %pins)
  call void @acre_rt_release(ptr %a, i64 16)
  ret void
}
declare void @acre_rt_pin(ptr, ptr)
declare void @acre_rt_unpin(ptr)
declare void @deletes(ptr)

; Few bytes that are no local: their lines are asked, which pins on the stack do not fill.  More
; bytes: their granules.
; CHECK-LABEL: @text_over_a_field(
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: call void @acre_rt_release(ptr %p, i64 64)
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: load i8, ptr %{{.*}}!nosanitize
; CHECK: call void @acre_rt_release(ptr %p, i64 72)
define void @text_over_a_field(ptr %p) {
  call void @acre_rt_release(ptr %p, i64 64)
  call void @acre_rt_release(ptr %p, i64 72)
  ret void
}

; CHECK-LABEL: @unoptimised(
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %v)
define void @unoptimised(ptr %p, ptr %v) noinline optnone {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; What the inline test lets through: a slot that should have no record is asked for one; of others
; the page map says which. Only the rest calls the runtime.
; CHECK: define linkonce_odr hidden preserve_mostcc void @acre.near.store(
; CHECK: @acre_rt_records
; CHECK: musttail call preserve_mostcc void @acre.cold.drop_record(ptr %0, ptr %1)
; CHECK: define linkonce_odr hidden preserve_mostcc void @acre.cold.drop_record({{.*}} #[[COLD:[0-9]+]]
; CHECK: call void @acre_rt_drop_record(
; CHECK: define linkonce_odr hidden preserve_mostcc void @acre.far.store(
; CHECK-DAG: @acre_rt_page_map
; CHECK-DAG: @acre_rt_eager_lines
; CHECK-DAG: musttail call preserve_mostcc void @acre.near.store(ptr %0, ptr %1)
; CHECK-DAG: @acre_rt_ancestor_pairs
; CHECK-DAG: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK-DAG: @acre_rt_records
; CHECK-DAG: musttail call preserve_mostcc void @acre.cold.store(ptr %0, ptr %1)
; CHECK: define linkonce_odr hidden preserve_mostcc void @acre.warm.reread(
; CHECK: load volatile i64, ptr %0, align 1, !nosanitize
; CHECK: @acre_rt_records
; CHECK: call preserve_mostcc void @acre.cold.reread(
; CHECK: define linkonce_odr hidden preserve_mostcc void @acre.warm.rescan(
; CHECK: @acre_rt_records
; CHECK: musttail call preserve_mostcc void @acre.cold.rescan(
; CHECK: attributes #[[COLD]] = { cold
