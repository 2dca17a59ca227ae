; RUN: %opt -passes=acre-keep-bases -S %s | FileCheck %s %keep
; What a derived pointer was computed from is used behind the last use of what was derived: in front
; of the next call or the end of the block, behind the loop, or, where it has no such place, in it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @call()
declare void @take(ptr)
declare ptr @make()

; CHECK-LABEL: @element(
; CHECK: load i64, ptr %at
; CHECK-NEXT: add
; CHECK-NEXT: call void [[KEEP]](ptr %table)
; CHECK-NEXT: call void @call()
define i64 @element(ptr %table, i64 %i) {
  %at = getelementptr i64, ptr %table, i64 %i
  %value = load i64, ptr %at
  %sum = add i64 %value, 1
  call void @call()
  ret i64 %sum
}

; A member is where the base is.
; CHECK-LABEL: @member(
; CHECK-NOT: [[KEEP]]
; CHECK: ret i64
define i64 @member(ptr %record) {
  %at = getelementptr i8, ptr %record, i64 40
  %before = getelementptr i8, ptr %record, i64 -16
  %value = load i64, ptr %at
  %other = load i64, ptr %before
  %sum = add i64 %value, %other
  ret i64 %sum
}

; A call gets the pointer whole.  The base ends before it.
; CHECK-LABEL: @argument(
; CHECK: call void [[KEEP]](ptr %at)
; CHECK-NEXT: call void [[KEEP]](ptr %table)
; CHECK-NEXT: call void @take(ptr %at)
; CHECK-NEXT: ret void
define void @argument(ptr %table, i64 %i) {
  %at = getelementptr i64, ptr %table, i64 %i
  call void @take(ptr %at)
  ret void
}

; A load may move to the block that uses its value.
; CHECK-LABEL: @moving(
; CHECK: call void [[KEEP]](i64 %value)
; CHECK-NEXT: call void [[KEEP]](ptr %table)
; CHECK-NEXT: br
define i64 @moving(ptr %table, i64 %i, i1 %c) {
  %at = getelementptr i64, ptr %table, i64 %i
  %value = load i64, ptr %at
  br i1 %c, label %then, label %else
then:
  ret i64 %value
else:
  ret i64 0
}

; CHECK-LABEL: @loop(
; CHECK: loop:
; CHECK-NOT: [[KEEP]]
; CHECK: exit:
; CHECK-NEXT: call void [[KEEP]](ptr %table)
define void @loop(ptr %table, i64 %bias, i64 %n) {
entry:
  %biased = getelementptr i64, ptr %table, i64 %bias
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @call()
  %at = getelementptr i64, ptr %biased, i64 %i
  store i64 0, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @endless(
; CHECK: loop:
; CHECK: store
; CHECK: call void [[KEEP]](ptr %table)
; CHECK: br label %loop
define void @endless(ptr %table, i64 %bias) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %table, %entry ], [ %next, %loop ]
  %at = getelementptr i64, ptr %p, i64 %bias
  store i64 0, ptr %at
  %next = getelementptr i64, ptr %p, i64 1
  br label %loop
}

; Where the call unwound there is no base.  The exit is also reached from there.
; CHECK-LABEL: @unwound(
; CHECK: exit:
; CHECK-NOT: [[KEEP]]
; CHECK: ret void
define void @unwound(i64 %bias, i1 %c) personality ptr @call {
entry:
  %table = invoke ptr @make() to label %loop unwind label %pad
pad:
  %caught = landingpad { ptr, i32 } cleanup
  br label %exit
loop:
  call void @call()
  %at = getelementptr i64, ptr %table, i64 %bias
  store i64 0, ptr %at
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Derived pointers of two bases meet: so do the bases.
; CHECK-LABEL: @meeting(
; CHECK: %base = phi ptr [ %a, %left ], [ %b, %right ]
; CHECK: call void @call()
; CHECK: load i64, ptr %p
; CHECK: call void [[KEEP]](ptr %base)
define i64 @meeting(i1 %c, ptr %x, i64 %i) {
  br i1 %c, label %left, label %right
left:
  %a = load ptr, ptr %x
  %pa = getelementptr i64, ptr %a, i64 %i
  br label %join
right:
  %y = getelementptr i8, ptr %x, i64 8
  %b = load ptr, ptr %y
  %pb = getelementptr i64, ptr %b, i64 %i
  br label %join
join:
  %p = phi ptr [ %pa, %left ], [ %pb, %right ]
  call void @call()
  %v = load i64, ptr %p
  ret i64 %v
}

; inbounds says that each of them points into its object: from the phi on it needs no other base.
; CHECK-LABEL: @whole(
; CHECK: call void [[KEEP]](ptr %pa)
; CHECK-NEXT: call void [[KEEP]](ptr %a)
; CHECK-NEXT: br label %join
; CHECK-NOT: %base = phi
; CHECK-NOT: [[KEEP]](ptr %p)
; CHECK: ret i64
define i64 @whole(i1 %c, ptr %x, i64 %i) {
  br i1 %c, label %left, label %right
left:
  %a = load ptr, ptr %x
  %pa = getelementptr inbounds i64, ptr %a, i64 %i
  br label %join
right:
  %y = getelementptr i8, ptr %x, i64 8
  %b = load ptr, ptr %y
  br label %join
join:
  %p = phi ptr [ %pa, %left ], [ %b, %right ]
  call void @call()
  %v = load i64, ptr %p
  ret i64 %v
}

; The base of the last turn of the loop is not that of this one.
; CHECK-LABEL: @turns(
; CHECK: %base = phi ptr [ null, %entry ], [ %new, %loop ]
define void @turns(ptr %x, i64 %i) {
entry:
  br label %loop
loop:
  %p = phi ptr [ null, %entry ], [ %at, %loop ]
  call void @take(ptr %p)
  %new = load ptr, ptr %x
  %at = getelementptr i64, ptr %new, i64 %i
  br label %loop
}

; The vector keeps its elements; what they were made of ends where they are in it.
; CHECK-LABEL: @elements(
; CHECK: call void @call()
; CHECK: call void @llvm.masked.scatter
; CHECK-DAG: call void [[KEEP]](ptr %a)
; CHECK-DAG: call void [[KEEP]](ptr %b)
define void @elements(ptr %a, ptr %b, i64 %i) {
  %pa = getelementptr i64, ptr %a, i64 %i
  %pb = getelementptr i64, ptr %b, i64 %i
  %one = insertelement <2 x ptr> poison, ptr %pa, i64 0
  %both = insertelement <2 x ptr> %one, ptr %pb, i64 1
  call void @call()
  call void @llvm.masked.scatter.v2i64.v2p0(
    <2 x i64> zeroinitializer, <2 x ptr> %both, i32 8, <2 x i1> <i1 true, i1 true>)
  ret void
}

; CHECK-LABEL: @chosen(
; CHECK: select
; CHECK-DAG: call void [[KEEP]](ptr %p)
; CHECK-DAG: call void [[KEEP]](ptr %a)
; CHECK-DAG: call void [[KEEP]](ptr %b)
; CHECK: call void @call()
define i64 @chosen(i1 %c, ptr %a, ptr %b, i64 %i) {
  %pa = getelementptr inbounds i64, ptr %a, i64 %i
  %pb = getelementptr inbounds i64, ptr %b, i64 %i
  %p = select i1 %c, ptr %pa, ptr %pb
  call void @call()
  %v = load i64, ptr %p
  ret i64 %v
}

; CHECK-LABEL: @integers(
; CHECK: load i64
; CHECK: call void [[KEEP]](ptr %table)
; CHECK: ret
define i64 @integers(ptr %table, i64 %distance) {
  %number = ptrtoint ptr %table to i64
  %sum = add i64 %number, %distance
  call void @call()
  %at = inttoptr i64 %sum to ptr
  %value = load i64, ptr %at
  %two = add i64 %value, %value
  ret i64 %two
}

; CHECK-LABEL: @vectors(
; CHECK: call <4 x i64> @llvm.masked.gather
; CHECK: call void [[KEEP]](ptr %table)
define <4 x i64> @vectors(ptr %table, <4 x i64> %where) {
  %at = getelementptr i64, ptr %table, <4 x i64> %where
  %all = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(
    <4 x ptr> %at, i32 8, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x i64> poison)
  ret <4 x i64> %all
}

; Variables and constants are not collected.
; CHECK-LABEL: @own(
; CHECK-NOT: call void [[KEEP]]
@g = global [10 x i64] zeroinitializer
define i64 @own(i64 %i) {
  %local = alloca [10 x i64]
  call void @take(ptr %local)
  %at = getelementptr i64, ptr %local, i64 %i
  %also = getelementptr i64, ptr @g, i64 %i
  %value = load i64, ptr %at
  %other = load i64, ptr %also
  %sum = add i64 %value, %other
  ret i64 %sum
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"acre-collected", i32 1}
