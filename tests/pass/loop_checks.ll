; In a loop whose checked slots lie in one region, the region of the last value is remembered: a
; value of the same region needs no call.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @acre_rt_check_parentptr(ptr, ptr, ptr)
declare void @acre_rt_check_sameregion(ptr, ptr, ptr)
declare ptr @acre_region_alloc(ptr, i64, i64, ptr)
declare ptr @acre_region_of(ptr)
declare ptr @next(ptr)

; CHECK-LABEL: @allocated_from_one_handle(
; CHECK: loop:
; CHECK: %[[KNOWN:.*]] = phi i32 [ -1, %entry ], [ %[[LAST:.*]], %{{.*}} ]
; CHECK: %[[OWNER:.*]] = load i32, ptr %{{.*}}, !nosanitize
; CHECK: icmp eq i32 %[[OWNER]], %[[KNOWN]]
; CHECK: %[[FOUND:.*]] = phi i32 [ -1, %{{.*}} ], [ %[[OWNER]], %{{.*}} ]
; CHECK-NEXT: call preserve_mostcc void @acre.warm.check_parentptr(
; CHECK: ret void
define void @allocated_from_one_handle(ptr %r, ptr %v) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %v, %entry ], [ %n, %loop ]
  %p = call ptr @acre_region_alloc(ptr %r, i64 16, i64 8, ptr null)
  call void @acre_rt_check_parentptr(ptr %p, ptr %at, ptr null)
  store ptr %at, ptr %p
  %n = call ptr @next(ptr %at)
  %more = icmp ne ptr %n, null
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @allocated_beside_one_object(
; CHECK: phi i32 [ -1, %entry ]
; CHECK: call preserve_mostcc void @acre.warm.check_parentptr(
; CHECK: ret void
define void @allocated_beside_one_object(ptr %o, ptr %v) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %v, %entry ], [ %n, %loop ]
  %r = call ptr @acre_region_of(ptr %o)
  %p = call ptr @acre_region_alloc(ptr %r, i64 16, i64 8, ptr null)
  call void @acre_rt_check_parentptr(ptr %p, ptr %at, ptr null)
  store ptr %at, ptr %p
  %n = call ptr @next(ptr %at)
  %more = icmp ne ptr %n, null
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @slots_of_one_array(
; CHECK: phi i32 [ -1, %entry ]
; CHECK: call preserve_mostcc void @acre.warm.check_sameregion(
; CHECK: ret void
define void @slots_of_one_array(ptr %a, ptr %v) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %v, %entry ], [ %n, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr inbounds ptr, ptr %a, i64 %i
  call void @acre_rt_check_sameregion(ptr %p, ptr %at, ptr null)
  store ptr %at, ptr %p
  %n = call ptr @next(ptr %at)
  %j = add i64 %i, 1
  %more = icmp ne ptr %n, null
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What is remembered of a parentptr slot's value says nothing of a sameregion slot's.
; CHECK-LABEL: @two_rules(
; CHECK-COUNT-2: phi i32 [ -1, %entry ]
; CHECK: ret void
define void @two_rules(ptr %a, ptr %b, ptr %v) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %v, %entry ], [ %n, %loop ]
  %q = getelementptr inbounds ptr, ptr %a, i64 1
  call void @acre_rt_check_parentptr(ptr %a, ptr %at, ptr null)
  call void @acre_rt_check_sameregion(ptr %q, ptr %at, ptr null)
  %n = call ptr @next(ptr %at)
  %more = icmp ne ptr %n, null
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Each round another object, which may be in another region; and no loop.
; CHECK-LABEL: @another_object_each_round(
; CHECK-NOT: phi i32
; CHECK: ret void
define void @another_object_each_round(ptr %v) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %v, %entry ], [ %n, %loop ]
  call void @acre_rt_check_parentptr(ptr %at, ptr %v, ptr null)
  store ptr %v, ptr %at
  %n = call ptr @next(ptr %at)
  %more = icmp ne ptr %n, null
  br i1 %more, label %loop, label %done
done:
  call void @acre_rt_check_parentptr(ptr %v, ptr %at, ptr null)
  ret void
}

; The outer loop changes the region: each start of the inner loop forgets.
; CHECK-LABEL: @another_region_outside(
; CHECK: outer:
; CHECK-NOT: phi i32
; CHECK: inner:
; CHECK: phi i32 [ -1, %outer ]
; CHECK: ret void
define void @another_region_outside(ptr %v) {
entry:
  br label %outer
outer:
  %o = phi ptr [ %v, %entry ], [ %m, %latch ]
  br label %inner
inner:
  %at = phi ptr [ %v, %outer ], [ %n, %inner ]
  %p = getelementptr inbounds ptr, ptr %o, i64 1
  call void @acre_rt_check_parentptr(ptr %p, ptr %at, ptr null)
  %n = call ptr @next(ptr %at)
  %more = icmp ne ptr %n, null
  br i1 %more, label %inner, label %latch
latch:
  %m = call ptr @next(ptr %o)
  %again = icmp ne ptr %m, null
  br i1 %again, label %outer, label %done
done:
  ret void
}
