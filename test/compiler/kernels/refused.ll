; Code that devices cannot run is an error, which names the kernel, the function and the reason.
; RUN: rm -rf %t && split-file %s %t
; RUN: sh %S/Inputs/refused.sh %t %lower > %t/out
; RUN: FileCheck %s < %t/out

;--- common
target triple = "spir64-unknown-unknown"
@.name = private constant [11 x i8] c"_ZTSN1a1bE\00"
declare void @__specpi_kernel_entry(ptr)
define void @entry(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.name)
  call void @_Z1fi(i32 0)
  ret void
}
;--- a_throw.ll
; CHECK: a_throw.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' throws an exception, which a device cannot do (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
define void @_Z1fi(i32 %x) {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  call void @__cxa_throw(ptr %e, ptr null, ptr null)
  unreachable
}
;--- b_range.ll
; CHECK: b_range.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' throws an exception, which
declare void @_ZSt24__throw_out_of_range_fmtPKcz(ptr, ...)
define void @_Z1fi(i32 %x) {
  call void (ptr, ...) @_ZSt24__throw_out_of_range_fmtPKcz(ptr null)
  ret void
}
;--- c_undefined.ll
; CHECK: c_undefined.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' calls a function that no code for devices defines, 'mine::cos(float)', which
declare float @_ZN4mine3cosEf(float)
declare float @_Z3cosf(float)
define void @_Z1fi(i32 %x) {
  %y = call float @_Z3cosf(float 1.0)
  %z = call float @_ZN4mine3cosEf(float 1.0)
  ret void
}
;--- d_pointer.ll
; CHECK: d_pointer.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' calls a virtual function, or one through a pointer, which
define void @_Z1fi(i32 %x) {
  %f = inttoptr i32 %x to ptr
  call void %f(i32 1)
  ret void
}
;--- e_address.ll
; CHECK: e_address.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' takes the address of function 'g()', which
define void @_Z1gv() {
  ret void
}
define void @_Z1fi(i32 %x) {
  %s = alloca ptr
  store ptr @_Z1gv, ptr %s
  ret void
}
;--- f_table.ll
; CHECK: f_table.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' takes the address of function 'g()', which
@outer = constant { i32, ptr } { i32 1, ptr @inner }
@inner = constant [1 x ptr] [ptr @_Z1gv]
define void @_Z1gv() {
  ret void
}
define void @_Z1fi(i32 %x) {
  %s = load ptr, ptr getelementptr ({ i32, ptr }, ptr @outer, i32 0, i32 1)
  ret void
}
;--- g_mutable.ll
; CHECK: g_mutable.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' uses a variable that is not constant, 'a::counter', which
@_ZN1a7counterE = internal addrspace(1) global i32 0
define void @_Z1fi(i32 %x) {
  store i32 %x, ptr addrspace(1) @_ZN1a7counterE
  ret void
}
;--- h_extern.ll
; CHECK: h_extern.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' uses a variable that another unit defines, 'elsewhere', which
@elsewhere = external addrspace(1) constant i32
define void @_Z1fi(i32 %x) {
  %v = load i32, ptr addrspace(1) @elsewhere
  ret void
}
;--- i_thread.ll
; CHECK: i_thread.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' uses a variable of a thread, 'mine', which
@mine = internal thread_local global i32 0
define void @_Z1fi(i32 %x) {
  store i32 %x, ptr @mine
  ret void
}
;--- j_virtual.ll
; CHECK: j_virtual.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' makes an object of a class with virtual functions or virtual bases, which
@_ZTV1A = constant { [1 x ptr] } zeroinitializer
define void @_Z1fi(i32 %x) {
  %s = alloca ptr
  store ptr @_ZTV1A, ptr %s
  ret void
}
;--- k_assembly.ll
; CHECK: k_assembly.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' has inline assembly, which
define void @_Z1fi(i32 %x) {
  call void asm sideeffect "nop", ""()
  ret void
}
;--- l_double.ll
; CHECK: l_double.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' computes with long double, which
define void @_Z1fi(i32 %x) {
  %y = sitofp i32 %x to x86_fp80
  ret void
}
;--- m_quad.ll
; CHECK: m_quad.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' computes with floating-point numbers of 128 bits, which
define void @_Z1fi(i32 %x) {
  %y = sitofp i32 %x to fp128
  ret void
}
;--- n_integer.ll
; CHECK: n_integer.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' computes with integers of more than 64 bits, which
define void @_Z1fi(i32 %x) {
  %y = sext i32 %x to i128
  ret void
}
;--- o_recursion.ll
; CHECK: o_recursion.ll
; CHECK-NEXT: error: kernel 'a::b': function '{{.*}}' calls itself, or a function that does, which
define void @_Z1fi(i32 %x) {
  call void @_Z1gv()
  ret void
}
define void @_Z1gv() {
  call void @_Z1fi(i32 1)
  ret void
}
;--- p_x86.ll
; CHECK: p_x86.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' uses an instruction of the host's processor, which
declare void @llvm.x86.sse2.pause()
define void @_Z1fi(i32 %x) {
  call void @llvm.x86.sse2.pause()
  ret void
}
;--- q_arguments.ll
; CHECK: q_arguments.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' has a variable number of arguments, which
define void @_Z1fi(i32 %x) {
  %l = alloca ptr
  %v = va_arg ptr %l, i32
  ret void
}
;--- r_new.ll
; CHECK: r_new.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' allocates memory with new, which
declare ptr @_Znwm(i64)
define void @_Z1fi(i32 %x) {
  %m = call ptr @_Znwm(i64 4)
  ret void
}
;--- s_guard.ll
; CHECK: s_guard.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)' has a static variable that is initialized when it is reached, which
declare i32 @__cxa_guard_acquire(ptr)
define void @_Z1fi(i32 %x) {
  %m = call i32 @__cxa_guard_acquire(ptr null)
  ret void
}
;--- t_exported.ll
; CHECK: t_exported.ll
; CHECK-NEXT: error: function 'g()' allocates memory with new, which
declare ptr @_Znwm(i64)
define void @_Z1gv() "llvm.assume"="specpi.external" {
  %m = call ptr @_Znwm(i64 4)
  ret void
}
define void @_Z1fi(i32 %x) {
  ret void
}
;--- u_pointer.ll
; CHECK: u_pointer.ll
; CHECK-NEXT: error: kernel 'a::c' has a function object that is not trivially copyable, which a device cannot be given (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
@.other = private constant [11 x i8] c"_ZTSN1a1cE\00"
define void @other(ptr %object) {
  call void @__specpi_kernel_entry(ptr @.other)
  ret void
}
define void @_Z1fi(i32 %x) {
  ret void
}
;--- v_twice.ll
; CHECK: v_twice.ll
; CHECK-NEXT: error: kernel 'a::b' has the name of another kernel of this unit; each needs its own (SPECPI_COMPILER_ERROR_CONFLICT)
define void @other(ptr byval(i32) %object) {
  call void @__specpi_kernel_entry(ptr @.name)
  ret void
}
define void @_Z1fi(i32 %x) {
  ret void
}
;--- w_name.ll
; CHECK: w_name.ll
; CHECK-NEXT: error: function 'other' is a kernel whose name is no string literal (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
define void @other(ptr byval(i32) %object, ptr byval(ptr) %name) {
  call void @__specpi_kernel_entry(ptr %name)
  ret void
}
define void @_Z1fi(i32 %x) {
  ret void
}
;--- x_internal.ll
; CHECK: x_internal.ll
; CHECK-NEXT: error: function 'g()' is declared SYCL_EXTERNAL, and other units cannot name it (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
define internal void @_Z1gv() "llvm.assume"="specpi.external" {
  ret void
}
define void @_Z1fi(i32 %x) {
  ret void
}
;--- y_called.ll
; CHECK: y_called.ll
; CHECK-NEXT: error: kernel 'a::b' is called by another kernel or by an exported function (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
define void @_Z1fi(i32 %x) {
  ret void
}
define void @_Z1gv(ptr %p) "llvm.assume"="specpi.external" {
  call void @entry(ptr byval(i32) align 4 %p)
  ret void
}
;--- z_id.ll
; CHECK: z_id.ll
; CHECK-NEXT: error: kernel 'a::b': function 'f(int)': a constant's id is not known here: the default leads to no variable (SPECPI_COMPILER_ERROR_INVALID_NAME)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr, ptr, ptr)
define void @_Z1fi(i32 %x) {
  %p = inttoptr i32 %x to ptr
  %c = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr null, ptr %p, ptr null)
  ret void
}
;--- zz_barrier.ll
; CHECK: zz_barrier.ll
; CHECK-NEXT: error: kernel 'a::c': function 'g()' waits at a barrier, which a kernel of parallel_for_work_group cannot do (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
@.other = private constant [11 x i8] c"_ZTSN1a1cE\00"
declare void @__specpi_two_levels()
declare void @_Z7barrierj(i32)
define void @_Z1gv() {
  call void @_Z7barrierj(i32 1)
  ret void
}
define void @other(ptr byval(i32) %object) {
  call void @__specpi_kernel_entry(ptr @.other)
  call void @__specpi_two_levels()
  call void @_Z1gv()
  ret void
}
define void @_Z1fi(i32 %x) {
  call void @_Z7barrierj(i32 1)
  ret void
}
