; Exactly what is live after a call that may delete is pinned there, under its variable's name.
; RUN: %opt -passes=acre-insert,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @del(ptr) #0
declare ptr @make()
declare i1 @more(i64) memory(none)
declare void @variadic(ptr, ...)
declare i32 @_setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)

; CHECK-DAG: @acre.pinsite = private unnamed_addr constant {{.*}}i32 12 }, i64 2, ptr @acre.pins

; CHECK-LABEL: @live_and_dead(
; CHECK-NOT: store ptr %dead
; CHECK: store ptr %p,
; CHECK: store ptr %made,
; CHECK: call void @acre_rt_pin(ptr %acre.pinframe, ptr @acre.pinsite
; CHECK-NEXT: call void @del(ptr %dead)
; CHECK-NEXT: call void @acre_rt_unpin(ptr %acre.pinframe)
; CHECK: call void @del(ptr %made)
; CHECK-NOT: acre_rt_unpin
; CHECK: ret ptr null
define ptr @live_and_dead(ptr %p, ptr %dead) {
  %made = call ptr @make()
  call void @del(ptr %dead) "acre-deletes"="a.c;12;f"
  store i32 1, ptr %made
  store i32 1, ptr %p
  br label %last
last:
  call void @del(ptr %made) "acre-deletes"="a.c;13;f"
  br label %out
out:
  ret ptr null
}

; Small integers and the address of a local are no pointers into regions; wide integers and
; aggregates may be.
; CHECK-LABEL: @kinds(
; CHECK-NOT: store i32
; CHECK: inttoptr i64 %wide to ptr
; CHECK: extractvalue { ptr, i64 } %pair, 0
; CHECK: extractvalue { ptr, i64 } %pair, 1
; CHECK: extractelement <2 x ptr> %lanes, i64 0
; CHECK: call void @acre_rt_pin(
; CHECK: call void @del(
define i64 @kinds(i32 %small, i64 %wide, { ptr, i64 } %pair, <2 x ptr> %lanes, ptr %out) {
  %local = alloca i32
  %widened = zext i32 %small to i64
  call void @del(ptr null) "acre-deletes"="a.c;20;g"
  store i32 %small, ptr %local
  store { ptr, i64 } %pair, ptr %out
  store <2 x ptr> %lanes, ptr %out
  %sum = add i64 %wide, %widened
  ret i64 %sum
}

; The part of a private array that is still read is pinned as a range, and the array holds nothing
; but what the program put there.
; CHECK-LABEL: @private_array(
; CHECK: call void @llvm.lifetime.start.p0({{(i64 -1, )?}}ptr %a)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr {{.*}}%a, i8 0, i64 32
; CHECK: store ptr %v, ptr %e
; CHECK-NEXT: %[[READ:.*]] = getelementptr inbounds i8, ptr %a, i64 8
; CHECK: store ptr %[[READ]], ptr
; CHECK: call void @acre_rt_pin(
; CHECK-NEXT: call void @del(
; CHECK-NEXT: call void @acre_rt_unpin(
; CHECK: load ptr
; CHECK-NOT: acre_rt_pin(
; CHECK: ret ptr
define ptr @private_array(ptr %v, i64 %i) {
  %a = alloca [4 x ptr]
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  %e = getelementptr [4 x ptr], ptr %a, i64 0, i64 %i
  store ptr %v, ptr %e
  call void @del(ptr null) "acre-deletes"="a.c;30;h"
  %f = getelementptr [4 x ptr], ptr %a, i64 0, i64 1
  %r = load ptr, ptr %f
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  ret ptr %r
}

; CHECK-LABEL: @phi_use_on_one_edge(
; CHECK: store ptr %p,
; CHECK: call void @acre_rt_pin(
; CHECK: call void @del(
define ptr @phi_use_on_one_edge(ptr %p, ptr %q, i1 %c) {
  br i1 %c, label %a, label %b
a:
  call void @del(ptr null) "acre-deletes"="a.c;40;i"
  br label %join
b:
  call void @del(ptr null) "acre-deletes"="a.c;41;i"
  br label %join
join:
  %r = phi ptr [ %p, %a ], [ %q, %b ]
  ret ptr %r
}

; CHECK-LABEL: @loop_carried(
; CHECK: loop:
; CHECK: store ptr %next,
; CHECK: call void @acre_rt_pin(
; CHECK-NEXT: call void @del(ptr %n)
; CHECK-NEXT: call void @acre_rt_unpin(
define void @loop_carried(ptr %head) {
  br label %loop
loop:
  %n = phi ptr [ %head, %0 ], [ %next, %loop ]
  %next = load ptr, ptr %n
  call void @del(ptr %n) "acre-deletes"="a.c;50;j"
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @variadic_arguments(
; CHECK-NOT: store ptr %fixed
; CHECK: store ptr %extra,
; CHECK: call void @acre_rt_pin(
; CHECK-NEXT: call void (ptr, ...) @variadic(ptr %fixed, ptr %extra)
; CHECK-NEXT: call void @acre_rt_unpin(
define void @variadic_arguments(ptr %fixed, ptr %extra) {
  call void (ptr, ...) @variadic(ptr %fixed, ptr %extra) "acre-deletes"="a.c;60;k"
  ret void
}

; What is live where setjmp returns is live at every deleting call that it reaches.
; CHECK-LABEL: @jump_target(
; CHECK: %[[MARK:.*]] = call ptr @acre_rt_pin_mark()
; CHECK-NEXT: call i32 @_setjmp
; CHECK-NEXT: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
; CHECK-NEXT: call void @acre_rt_unwind(ptr %[[MARK]], ptr %[[SP]])
; CHECK: first:
; CHECK: store ptr %kept,
; CHECK: call void @acre_rt_pin(
; CHECK-NEXT: call void @del(
define ptr @jump_target(ptr %kept, ptr %buffer) {
  %r = call i32 @_setjmp(ptr %buffer)
  %again = icmp ne i32 %r, 0
  br i1 %again, label %second, label %first
first:
  call void @del(ptr null) "acre-deletes"="a.c;70;l"
  ret ptr null
second:
  ret ptr %kept
}

; A value that does not reach the deleting call on every path is pinned as null where it does not.
; CHECK-LABEL: @jump_target_on_one_path(
; CHECK: phi ptr [ %kept, %set ], [ null, %entry ]
; CHECK: call void @acre_rt_pin(
define ptr @jump_target_on_one_path(i1 %c, ptr %buffer) {
entry:
  br i1 %c, label %set, label %go
set:
  %kept = call ptr @make()
  %r = call i32 @_setjmp(ptr %buffer)
  %again = icmp ne i32 %r, 0
  br i1 %again, label %second, label %go
go:
  call void @del(ptr null) "acre-deletes"="a.c;80;m"
  ret ptr null
second:
  ret ptr %kept
}

; CHECK-LABEL: @invoked(
; CHECK: call void @acre_rt_pin(
; CHECK-NEXT: invoke void @del(
; CHECK: call void @acre_rt_unpin(
; CHECK: landingpad
; CHECK: call void @acre_rt_unpin(
define ptr @invoked(ptr %p) personality ptr @__gxx_personality_v0 {
  invoke void @del(ptr null) "acre-deletes"="a.c;90;n" to label %ok unwind label %bad
ok:
  ret ptr %p
bad:
  %e = landingpad { ptr, i32 } cleanup
  store i32 0, ptr %p
  resume { ptr, i32 } %e
}

; Nothing of the caller is left when a guaranteed tail call runs.
; CHECK-LABEL: @tail_call(
; CHECK-NOT: acre_rt_pin
; CHECK: musttail call void @del(ptr %p)
define void @tail_call(ptr %p) {
  musttail call void @del(ptr %p) "acre-deletes"="a.c;95;o"
  ret void
}

; A loop's counter began as a constant: it is no pointer, and nothing is pinned.  One that began
; elsewhere may be.
; CHECK-LABEL: @counter(
; CHECK-NOT: acre_rt_pin
; CHECK: ret i64
define i64 @counter(ptr %p) {
  br label %outer
outer:
  %first = phi i64 [ 0, %0 ], [ %after, %deleted ]
  br label %inner
inner:
  %end = phi i64 [ %first, %outer ], [ %after, %inner ]
  %after = add i64 %end, 1
  %c = call i1 @more(i64 %end)
  br i1 %c, label %inner, label %deleted
deleted:
  call void @del(ptr null) "acre-deletes"="a.c;110;p"
  %again = call i1 @more(i64 %after)
  br i1 %again, label %outer, label %done
done:
  ret i64 %after
}

; CHECK-LABEL: @counter_from_outside(
; CHECK: inttoptr i64 %after to ptr
; CHECK: call void @acre_rt_pin(
; CHECK: ret i64
define i64 @counter_from_outside(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ %n, %0 ], [ %after, %loop ]
  %after = add i64 %i, 1
  call void @del(ptr null) "acre-deletes"="a.c;125;q"
  %c = call i1 @more(i64 %after)
  br i1 %c, label %loop, label %done
done:
  ret i64 %after
}

; A sum of pointers made integers is none of constants.
; CHECK-LABEL: @not_a_counter(
; CHECK: inttoptr i64 %after to ptr
; CHECK: call void @acre_rt_pin(
; CHECK: ret i64
define i64 @not_a_counter(ptr %p) {
  %n = ptrtoint ptr %p to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %after, %loop ]
  %after = add i64 %i, %n
  call void @del(ptr null) "acre-deletes"="a.c;140;r"
  %c = call i1 @more(i64 %after)
  br i1 %c, label %loop, label %done
done:
  ret i64 %after
}
attributes #0 = { nounwind }
