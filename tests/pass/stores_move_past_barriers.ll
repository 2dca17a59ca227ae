; Barriers keep no store in a loop and no load from moving out of it: neither that of a store nor a
; check, which may abort.
; RUN: %opt -passes='acre-insert,function(loop-mssa(licm)),verify' -S %s | FileCheck %s \
; RUN:   --implicit-check-not=__acre_
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@site = private unnamed_addr constant [8 x i8] c"a.c;7;f\00"
declare ptr @__acre_slot_sameregion(ptr, ptr)

; CHECK-LABEL: @counted_store(
; CHECK: entry:
; CHECK-NEXT: store ptr %v, ptr %p
; CHECK: loop:
; CHECK-NOT: store ptr
; CHECK: call void @acre_rt_store(ptr %p, ptr %v)
; CHECK-NOT: store ptr
; CHECK: ret void
define void @counted_store(ptr noalias dereferenceable(8) %p, ptr %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store ptr %v, ptr %p, align 8
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @checked_store(
; CHECK: entry:
; CHECK: load i32, ptr %length
; CHECK: loop:
; CHECK: call void @acre_rt_check_sameregion(
; CHECK-NOT: load i32
; CHECK: done:
define i32 @checked_store(ptr noalias %p, ptr %v, ptr noalias %length, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %longer, %loop ]
  %at = getelementptr ptr, ptr %p, i64 %i
  %slot = call ptr @__acre_slot_sameregion(ptr %at, ptr @site)
  store ptr %v, ptr %slot, align 8
  %l = load i32, ptr %length, align 4
  %longer = add i32 %sum, %l
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %longer
}
