; A pin is noted and taken back in line; the runtime is called for what is not as usual, and to
; release ranges whose lines have records.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_pin(ptr, ptr)
declare void @acre_rt_unpin(ptr)
declare void @deletes()

%frame = type { ptr, ptr, ptr, [1 x ptr] }
@values = private constant { { ptr, ptr, i32 }, i64, ptr, i64 } { { ptr, ptr, i32 } zeroinitializer, i64 1, ptr null, i64 1 }
@ranges = private constant { { ptr, ptr, i32 }, i64, ptr, i64 } { { ptr, ptr, i32 } zeroinitializer, i64 1, ptr null, i64 0 }

; CHECK-LABEL: @pins_values(
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_pins)
; CHECK: @llvm.threadlocal.address.p0(ptr @acre_rt_stack)
; CHECK: call ptr @llvm.stacksave.p0()
; CHECK: load i8, ptr @__libc_single_threaded, {{.*}}!nosanitize
; CHECK: br i1 %{{.*}}, label %[[USUAL:.*]], label %[[ELSE:.*]], !prof
; CHECK: [[USUAL]]:
; CHECK-NOT: call
; CHECK: store ptr %f, ptr %{{.*}}!nosanitize
; CHECK: br label
; CHECK: [[ELSE]]:
; CHECK-NEXT: call void @acre_rt_pin(ptr %f, ptr @values)
; CHECK: call void @deletes()
; CHECK: icmp eq ptr %{{.*}}, %f
; CHECK-NEXT: br i1
; CHECK: call void @acre_rt_unpin(ptr %f)
define void @pins_values() {
  %f = alloca %frame
  call void @acre_rt_pin(ptr %f, ptr @values)
  call void @deletes()
  call void @acre_rt_unpin(ptr %f)
  ret void
}

; CHECK-LABEL: @pins_ranges(
; CHECK: load i8, ptr @__libc_single_threaded
; CHECK: call void @acre_rt_pin(
; CHECK: call void @deletes()
; CHECK-NEXT: call void @acre_rt_unpin(
; CHECK: load i8, ptr @__libc_single_threaded
; CHECK: call void @acre_rt_pin(
; CHECK: call void @deletes()
; CHECK-NEXT: call void @acre_rt_unpin(
define void @pins_ranges() {
  %f = alloca %frame
  call void @acre_rt_pin(ptr %f, ptr @ranges)
  call void @deletes()
  call void @acre_rt_unpin(ptr %f)
  call void @acre_rt_pin(ptr %f, ptr @values)
  call void @deletes()
  call void @acre_rt_unpin(ptr %f)
  ret void
}

@range = private constant [2 x { ptr, i64, i64, i64, i64 }] [{ ptr, i64, i64, i64, i64 } zeroinitializer, { ptr, i64, i64, i64, i64 } { ptr null, i64 24, i64 0, i64 0, i64 0 }]
@long = private constant [1 x { ptr, i64, i64, i64, i64 }] [{ ptr, i64, i64, i64, i64 } { ptr null, i64 72, i64 0, i64 0, i64 0 }]
@small_range = private constant { { ptr, ptr, i32 }, i64, ptr, i64 } { { ptr, ptr, i32 } zeroinitializer, i64 2, ptr @range, i64 0 }
@long_range = private constant { { ptr, ptr, i32 }, i64, ptr, i64 } { { ptr, ptr, i32 } zeroinitializer, i64 1, ptr @long, i64 0 }

; A small range is that of the second value.
; CHECK-LABEL: @pins_small_range(
; CHECK: call void @acre_rt_pin(
; CHECK: call void @deletes()
; CHECK: %[[PLACE:.*]] = getelementptr inbounds{{.*}} i8, ptr %f, i64 32
; CHECK: load i64, ptr %[[PLACE]], {{.*}}!nosanitize
; CHECK: add i64 %{{.*}}, 23
; CHECK: @acre_rt_lines
; CHECK: @acre_rt_lines
; CHECK: call void @acre_rt_release_pinned(ptr %f)
; CHECK: call void @acre_rt_unpin(ptr %f)
define void @pins_small_range() {
  %f = alloca %frame
  call void @acre_rt_pin(ptr %f, ptr @small_range)
  call void @deletes()
  call void @acre_rt_unpin(ptr %f)
  ret void
}

; CHECK-LABEL: @pins_long_range(
; CHECK: call void @deletes()
; CHECK-NEXT: call void @acre_rt_unpin(
define void @pins_long_range() {
  %f = alloca %frame
  call void @acre_rt_pin(ptr %f, ptr @long_range)
  call void @deletes()
  call void @acre_rt_unpin(ptr %f)
  ret void
}

; Where two pins have been made one, the frame may be any.
; CHECK-LABEL: @pins_either(
; CHECK-NOT: acre_rt_pins
; CHECK: ret void
define void @pins_either(i1 %which) {
  %f = alloca %frame
  %g = alloca %frame
  %frame = select i1 %which, ptr %f, ptr %g
  %site = select i1 %which, ptr @values, ptr @ranges
  call void @acre_rt_pin(ptr %frame, ptr %site)
  call void @deletes()
  call void @acre_rt_unpin(ptr %frame)
  ret void
}
