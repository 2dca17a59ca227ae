; A function that gives an address back, which LLVM 21 can say of a parameter, has its caller read
; through it: the release stays.
; REQUIRES: llvm-21
; RUN: %opt -passes=acre-frame-barriers,verify -S %s | FileCheck %s
declare void @acre_rt_release(ptr, i64)
declare ptr @find(ptr captures(ret: address, provenance)) memory(argmem: read)

; CHECK-LABEL: @given_back(
; CHECK: call void @acre_rt_release(
define i8 @given_back() {
  %a = alloca [24 x i8]
  %p = call ptr @find(ptr %a)
  %c = load i8, ptr %p
  call void @acre_rt_release(ptr %a, i64 24)
  ret i8 %c
}
