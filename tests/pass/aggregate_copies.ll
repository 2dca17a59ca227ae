; A copy of a small record is as many stores as it has slots; what is read from a record of known
; layout keeps its rules.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s --implicit-check-not=__acre_
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%value = type { ptr, i32, i32 }

@layout = private unnamed_addr constant [32 x i8] c"struct v;16;8;1;0;0,1,8,a,field\00"
@union = private unnamed_addr constant [32 x i8] c"struct u;16;8;1;0;0,1,8,u,field\00"
@checked = private unnamed_addr constant [33 x i8] c"struct c;80;8;1;0;0,10,8,a,field\00"
@counted = private unnamed_addr constant [33 x i8] c"struct n;80;8;1;0;0,10,8,p,field\00"
@site = private unnamed_addr constant [8 x i8] c"a.c;7;f\00"
@words = private unnamed_addr constant [5 x i8] c"pnnb\00"
declare ptr @__acre_slot_record(ptr, ptr, ptr)
declare ptr @__acre_slot_words(ptr, ptr)
declare void @keep(ptr)

; The check's value is read through the source's rule; numbers are not searched for pointers.
; CHECK-LABEL: @numbers_beside_a_slot(
; CHECK-NEXT: %[[V:.*]] = load ptr, ptr %q, align 8, !mmra ![[PARENTPTR:[0-9]+]]
; CHECK-NEXT: call void @acre_rt_check_parentptr(ptr %p, ptr %[[V]],
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: ret void
define void @numbers_beside_a_slot(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  %b = call ptr @__acre_slot_record(ptr %q, ptr @layout, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %b, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; What is no slot and not known to be a number is searched.
; CHECK-LABEL: @bytes_beside_a_slot(
; CHECK: %[[V:.*]] = load ptr, ptr %q, align 1
; CHECK-NOT: !mmra
; CHECK: call void @acre_rt_check_parentptr(ptr %p, ptr %[[V]],
; CHECK: call void @llvm.memcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 8 %[[REST:.*]], i64 8)
; CHECK-NEXT: ret void
define void @bytes_beside_a_slot(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: @unions_are_searched(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @acre_rt_rescan_typed(ptr %p, i64 16
define void @unions_are_searched(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @union, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; CHECK-LABEL: @volatile_copies_are_searched(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @acre_rt_rescan_typed(ptr %p, i64 16
define void @volatile_copies_are_searched(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @layout, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 16, i1 true), !tbaa.struct !0
  ret void
}

; Where accesses have no types the front end says what the words of a record without annotated slots
; are.
; CHECK-LABEL: @named_words(
; CHECK-NEXT: %[[V:.*]] = load ptr, ptr %q, align 8
; CHECK-NEXT: %[[REST:.*]] = getelementptr inbounds i8, ptr %p, i64 24
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @acre_rt_rescan(ptr align 8 %[[REST]], i64 8)
; CHECK-NEXT: call void @acre_rt_store(ptr %p, ptr %[[V]])
; CHECK-NEXT: ret void
define void @named_words(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_words(ptr %p, ptr @words)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %q, i64 32, i1 false)
  ret void
}

; A record without annotated slots needs no layout where !tbaa.struct has its pointers.
; CHECK-LABEL: @plain_record(
; CHECK: %[[V:.*]] = load ptr, ptr %
; CHECK: call void @llvm.memcpy
; CHECK-NOT: acre_rt_rescan
; CHECK: call void @acre_rt_store(ptr %{{.*}}, ptr %[[V]])
; CHECK-NOT: acre_rt_
; CHECK: ret void
define void @plain_record(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 false), !tbaa.struct !10
  ret void
}

; Bytes may be anything: they are searched.
; CHECK-LABEL: @plain_record_with_bytes(
; CHECK: call void @llvm.memcpy
; CHECK-DAG: call void @acre_rt_store(ptr %p, ptr %{{.*}})
; CHECK-DAG: call void @acre_rt_rescan(ptr align 8 %{{.*}}, i64 8)
; CHECK: ret void
define void @plain_record_with_bytes(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 false), !tbaa.struct !11
  ret void
}

; Bit-fields beside a number are no pointer.
; CHECK-LABEL: @plain_record_with_bits(
; CHECK-NOT: acre_rt_rescan
; CHECK: call void @acre_rt_store(ptr %p, ptr %{{.*}})
; CHECK-NEXT: ret void
define void @plain_record_with_bits(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 false), !tbaa.struct !20
  ret void
}

; A part of a misaligned pointer beside a number is.
; CHECK-LABEL: @plain_record_with_misaligned_slot(
; CHECK: call void @acre_rt_rescan(ptr align 8 %p, i64 16)
define void @plain_record_with_misaligned_slot(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 false), !tbaa.struct !21
  ret void
}

; Numbers count for nothing, however many there are.
; CHECK-LABEL: @long_plain_record(
; CHECK-NOT: acre_rt_rescan
; CHECK: call void @acre_rt_store(ptr %p, ptr %{{.*}})
; CHECK-NEXT: ret void
define void @long_plain_record(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 128, i1 false), !tbaa.struct !22
  ret void
}

; Many slots that are checked may be copied one by one; of more that count the runtime searches all.
; CHECK-LABEL: @many_checked(
; CHECK-COUNT-10: call void @acre_rt_check_parentptr(
; CHECK: call void @llvm.memcpy
; CHECK-NEXT: ret void
define void @many_checked(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @checked, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %q, i64 80, i1 false)
  ret void
}
; CHECK-LABEL: @many_counted(
; CHECK: call void @acre_rt_rescan_typed(ptr %p, i64 80
define void @many_counted(ptr %p, ptr %q) {
  %a = call ptr @__acre_slot_record(ptr %p, ptr @counted, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %q, i64 80, i1 false)
  ret void
}

; A private copy keeps what the source's slots obey, without a check.
; CHECK-LABEL: @private_copy(
; CHECK: %[[V:.*]] = load ptr, ptr %q, align 8, !mmra ![[PARENTPTR]]
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: store ptr %[[V]], ptr %local, align 8
; CHECK-NOT: acre_rt_
; CHECK: ret ptr
define ptr @private_copy(ptr %q) {
  %local = alloca %value
  %b = call ptr @__acre_slot_record(ptr %q, ptr @layout, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %local, ptr align 8 %b, i64 16, i1 false), !tbaa.struct !0
  %r = load ptr, ptr %local
  ret ptr %r
}

; An exposed one obeys the rules itself: whoever gets its address relies on them.
; CHECK-LABEL: @exposed_copy(
; CHECK: call void @acre_rt_check_parentptr(ptr %local,
; CHECK-NEXT: call void @llvm.memcpy
define void @exposed_copy(ptr %q) {
  %local = alloca %value
  %a = call ptr @__acre_slot_record(ptr %local, ptr @layout, ptr @site)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %q, i64 16, i1 false), !tbaa.struct !0
  call void @keep(ptr %local)
  ret void
}

; A record that travels in registers is read one slot at a time.
; CHECK-LABEL: @passed_in_registers(
; CHECK-NEXT: load ptr, ptr %q, align 8, !mmra ![[PARENTPTR]]
define ptr @passed_in_registers(ptr %q) {
  %b = call ptr @__acre_slot_record(ptr %q, ptr @layout, ptr null)
  %r = load ptr, ptr %b
  ret ptr %r
}

; CHECK: ![[PARENTPTR]] = !{!"acre.slot", !"parentptr"}
!0 = !{i64 0, i64 8, !1, i64 8, i64 4, !2, i64 12, i64 4, !2}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"any pointer", !5, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!10 = !{i64 0, i64 8, !12, i64 8, i64 8, !13}
!11 = !{i64 0, i64 8, !13, i64 8, i64 8, !14}
!12 = !{!15, !15, i64 0}
!13 = !{!16, !16, i64 0}
!14 = !{!17, !17, i64 0}
!15 = !{!"long", !17, i64 0}
!16 = !{!"p1 omnipotent char", !18, i64 0}
!17 = !{!"omnipotent char", !19, i64 0}
!18 = !{!"any pointer", !17, i64 0}
!19 = !{!"Simple C/C++ TBAA"}
; a pointer; bits and a number; a number and a pointer behind it; a pointer and a number of 120
; bytes
!20 = !{i64 0, i64 8, !13, i64 8, i64 4, !14, i64 12, i64 4, !2}
!21 = !{i64 0, i64 4, !2, i64 4, i64 8, !13, i64 12, i64 4, !2}
!22 = !{i64 0, i64 8, !13, i64 8, i64 120, !12}
