; A local whose address others only read through while they run holds nothing that they stored: no
; release is left of it, also where the address moves in a loop.
; RUN: %opt -passes=acre-frame-barriers,verify -S %s | FileCheck %s
declare void @acre_rt_release(ptr, i64)
declare i64 @length(ptr nocapture) memory(argmem: read)
declare void @fill(ptr nocapture)

; CHECK-LABEL: @read(
; CHECK-NOT: acre_rt_release
; CHECK: ret i64
define i64 @read(i1 %more) {
entry:
  %a = alloca [24 x i8]
  %end = getelementptr i8, ptr %a, i64 24
  br label %loop
loop:
  %p = phi ptr [ %end, %entry ], [ %q, %loop ]
  %q = getelementptr i8, ptr %p, i64 -1
  store i8 48, ptr %q
  br i1 %more, label %loop, label %done
done:
  %n = call i64 @length(ptr %q)
  call void @acre_rt_release(ptr %a, i64 24)
  ret i64 %n
}

; CHECK-LABEL: @written(
; CHECK: call void @acre_rt_release(
define void @written(i1 %which, ptr %b) {
entry:
  %a = alloca [24 x i8]
  br i1 %which, label %other, label %end
other:
  br label %end
end:
  %p = phi ptr [ %a, %entry ], [ %b, %other ]
  call void @fill(ptr %p)
  call void @acre_rt_release(ptr %a, i64 24)
  ret void
}
