; Code of a program refers to the runtime's variables as to its own. If the runtime is a shared
; library, only the linkers of x86-64 give code that may lie anywhere copies of them, and so for
; what the C library has. Code of a shared library goes by the table of addresses.
; RUN: %opt -passes=acre-lower,verify -S %s | FileCheck %s --check-prefixes=OWN,OTHER
; RUN: %opt -acre-shared-runtime -passes=acre-lower,verify -S %s | FileCheck %s \
; RUN:   --check-prefixes=SHARED,OTHER
; RUN: sed -e '/"PIE/d' -e 's/, !1}/}/' %s | %opt -passes=acre-lower,verify -S | FileCheck %s \
; RUN:   --check-prefixes=SHARED,OTHER
; RUN: sed s/aarch64/x86_64/ %s | %opt -acre-shared-runtime -passes=acre-lower,verify -S \
; RUN:   | FileCheck %s --check-prefix=COPIES
target datalayout = "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
target triple = "aarch64-unknown-linux-gnu"
declare void @acre_rt_store(ptr, ptr)
declare void @acre_rt_pin(ptr, ptr)
declare void @acre_rt_unpin(ptr)
declare void @deletes()

%frame = type { ptr, ptr, ptr, [1 x ptr] }
@values = private constant { { ptr, ptr, i32 }, i64, ptr, i64 } { { ptr, ptr, i32 } zeroinitializer, i64 1, ptr null, i64 1 }

; OWN-DAG: @acre_rt_window_pages = external dso_local global
; SHARED-DAG: @acre_rt_window_pages = external global
; OTHER-DAG: @__libc_single_threaded = external global
; COPIES-DAG: @acre_rt_window_pages = external dso_local global
; COPIES-DAG: @__libc_single_threaded = external dso_local global
define void @store(ptr %p, ptr %v) {
  %frame = alloca %frame
  store ptr %v, ptr %p
  call void @acre_rt_store(ptr %p, ptr %v)
  call void @acre_rt_pin(ptr %frame, ptr @values)
  call void @deletes()
  call void @acre_rt_unpin(ptr %frame)
  ret void
}

!llvm.module.flags = !{!0, !1}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"PIE Level", i32 2}
