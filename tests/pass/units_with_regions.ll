; A unit that calls functions of regions does not ask whether there are any, but whether the value
; is in the slot's region.  If no slot of the page has a record, that is all; else the slot's line
; is asked.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_store(ptr, ptr)
declare void @acre_rt_rescan(ptr, i64)
declare void @acre_rt_reread(ptr)
declare ptr @acre_region_new()
; CHECK-NOT: acre_rt_active

; CHECK-LABEL: @stored(
; CHECK: load atomic i64, ptr @acre_rt_window_pages
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[LINE:[^,]*]]{{$}}
; CHECK: [[INSIDE]]:
; CHECK: br i1 %{{.*}}, label %[[BOTH:.*]], label %[[FAR:[^,]*]], !prof
; CHECK: [[BOTH]]:
; CHECK: load ptr, ptr @acre_rt_page_map
; CHECK: br i1 %{{.*}}, label %[[RECORDED:.*]], label %[[NOTHING:[^,]*]]
; CHECK: [[RECORDED]]:
; CHECK: br i1 %{{.*}}, label %[[LINE]], label %[[FAR]], !prof
; CHECK: [[FAR]]:
; CHECK: call preserve_mostcc void @acre.far.store(
; CHECK: [[LINE]]:
; CHECK: @acre_rt_eager_lines
; CHECK: call preserve_mostcc void @acre.near.store(
; CHECK: [[NOTHING]]:
; CHECK-NEXT: ret void
define void @stored(ptr %base, ptr %v) {
  %p = getelementptr i8, ptr %base, i64 8
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; What a parameter points to is most likely a local, for a result.
; CHECK-LABEL: @result(
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK: load atomic i64, ptr @acre_rt_window_pages
; CHECK: ret void
define void @result(ptr %p, ptr %v) {
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; A list's end may be a local.  That is asked only of what is not in the window.
; CHECK-LABEL: @list(
; CHECK: load atomic i64, ptr @acre_rt_window_pages
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{[^,]*$}}
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK: [[INSIDE]]:
; CHECK: ret void
define void @list(ptr %a, ptr %b, i1 %which, ptr %v) {
entry:
  br i1 %which, label %other, label %end
other:
  br label %end
end:
  %p = phi ptr [ %a, %entry ], [ %b, %other ]
  call void @acre_rt_store(ptr %p, ptr %v)
  ret void
}

; A variable is in no region: only of a value in the window more is asked than the line.  The record
; is compared with the value's region, and is looked at before one that should not be is dropped.
; CHECK-LABEL: @variable(
; CHECK-NOT: acre_rt_window_pages
; CHECK: load i64, ptr @acre_rt_window_tag
; CHECK: %[[IS_INSIDE:.*]] = icmp eq i64
; CHECK: br i1 %[[IS_INSIDE]], label %{{.*}}, label %[[LINE:[^,]*]]
; CHECK: load ptr, ptr @acre_rt_page_map
; CHECK: load atomic ptr, ptr @acre.place.place monotonic
; CHECK: %[[IS_RIGHT:.*]] = icmp eq i32 %{{.*}}, 0
; CHECK: br i1 %[[IS_RIGHT]], label %[[DONE:.*]], label %[[CHANGED:[^,]*]], !prof
; CHECK: [[CHANGED]]:
; CHECK: call preserve_mostcc void @acre.cold.store_global(ptr @place, ptr %v, ptr @acre.place.place)
; CHECK: [[LINE]]:
; CHECK: @acre_rt_eager_lines
; CHECK: load atomic ptr, ptr @acre.place.place monotonic
; CHECK: icmp sgt i32 %{{.*}}, 0
; CHECK: call preserve_mostcc void @acre.near.store(ptr @place, ptr %v)
; CHECK: ret void
@place = global ptr null
define void @variable(ptr %v) {
  call void @acre_rt_store(ptr @place, ptr %v)
  ret void
}

; The record of a variable that each thread has, or that may not be aligned, has no one place.
; CHECK-LABEL: @other_variables(
; CHECK-NOT: acre.place
; CHECK: ret void
@each_thread = thread_local global ptr null
@packed = global <{ i8, ptr }> zeroinitializer, align 1
define void @other_variables(ptr %v) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @each_thread)
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @acre_rt_store(ptr getelementptr (i8, ptr @packed, i64 1), ptr %v)
  ret void
}

; CHECK-LABEL: @ranges(
; CHECK-NOT: br
; CHECK: call void @acre_rt_rescan(ptr %p, i64 64)
; CHECK-NEXT: call preserve_mostcc void @acre.warm.reread(ptr %p)
; CHECK: ret void
define void @ranges(ptr %p) {
  call void @acre_rt_rescan(ptr %p, i64 64)
  call void @acre_rt_reread(ptr %p)
  ret void
}

define ptr @make() {
  %r = call ptr @acre_region_new()
  ret ptr %r
}
