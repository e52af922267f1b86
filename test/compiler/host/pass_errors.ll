; Modules that the pass refuses, and modules that it does not change.
; RUN: rm -rf %t && split-file %s %t
; RUN: not %specpi-cc --host-pass %t/no_kind.ll 2>&1 | FileCheck %t/no_kind.ll
; RUN: not %specpi-cc --host-pass %t/no_id.ll 2>&1 | FileCheck %t/no_id.ll
; RUN: not %specpi-cc --host-pass %t/empty.ll 2>&1 | FileCheck %t/empty.ll
; RUN: not %specpi-cc --host-pass %t/nul.ll 2>&1 | FileCheck %t/nul.ll
; RUN: not %specpi-cc --host-pass %t/noted_no_kind.ll 2>&1 | FileCheck %t/noted_no_kind.ll
; RUN: not %specpi-cc --host-pass %t/noted_empty.ll 2>&1 | FileCheck %t/noted_empty.ll
; RUN: not %specpi-cc --host-pass %t/two_ids.ll 2>&1 | FileCheck %t/two_ids.ll
; RUN: not %specpi-cc --host-pass %t/same_id.ll 2>&1 | FileCheck %t/same_id.ll
; RUN: not %specpi-cc --host-pass %t/thread.ll 2>&1 | FileCheck %t/thread.ll
; RUN: not %specpi-cc --host-pass %t/space.ll 2>&1 | FileCheck %t/space.ll
; RUN: not %specpi-cc --host-pass %t/device.ll 2>&1 | FileCheck %t/device.ll
; RUN: not %specpi-cc --host-pass %t/function.ll 2>&1 | FileCheck %t/function.ll
; RUN: not %specpi-cc --host-pass %t/variable.ll 2>&1 | FileCheck %t/variable.ll
; RUN: not %specpi-cc --host-pass %t/damaged.ll 2>&1 | FileCheck %t/damaged.ll
; RUN: not %specpi-cc --host-pass %t/constructors.ll 2>&1 | FileCheck %t/constructors.ll
; RUN: not %specpi-cc --host-pass %t/absent.ll 2>&1 | FileCheck --check-prefix=ABSENT %t/none.ll
; RUN: cat %s %t/none.ll > %t/garbage.bc
; RUN: not %specpi-cc --host-pass %t/garbage.bc 2>&1 | FileCheck --check-prefix=GARBAGE %t/none.ll
; Nothing is added to a module without variables to register. Other annotations do not matter.
; RUN: %specpi-cc --host-pass %t/none.ll | FileCheck %t/none.ll
; RUN: %specpi-cc --host-pass %t/odd.ll -o - | FileCheck %t/odd.ll
; Very long ids are accepted. Text or bitcode that is cut off is refused.
; RUN: %python -c "print('@a = global i32 0 #0\nattributes #0 = { \"sycl-unique-id\"=\"' + 'x' * 1000000 + '\" \"sycl-uid-kind\"=\"k\" }')" > %t/long.ll
; RUN: %specpi-cc --host-pass %t/long.ll -o %t/long.bc
; RUN: %specpi-cc --host-pass %t/long.bc -o %t/long.out.ll
; RUN: FileCheck %t/none.ll --check-prefix=LONG < %t/long.out.ll
; RUN: %python %S/Inputs/cut.py %t/long.bc %specpi-cc --host-pass
; RUN: %python %S/Inputs/cut.py %t/odd.ll %specpi-cc --host-pass
; What does not belong to it.
; RUN: not %specpi-cc --host-pass %t/none.ll -I a 2>&1 | FileCheck --check-prefix=OPTIONS %t/none.ll
; RUN: not %specpi-cc --host-pass %t/none.ll -- -O2 2>&1 | FileCheck --check-prefix=OPTIONS %t/none.ll
; RUN: not %specpi-cc --host-pass %t/none.ll -o %t/none.ll 2>&1 | FileCheck --check-prefix=SAME %t/none.ll

;--- no_kind.ll
; CHECK: no_kind.ll: variable 'a' has sycl-unique-id, and no sycl-uid-kind
@a = global i32 0 #0
attributes #0 = { "sycl-unique-id"="a" }
;--- no_id.ll
; CHECK: no_id.ll: variable 'a' has sycl-uid-kind, and no sycl-unique-id
@a = global i32 0 #0
attributes #0 = { "sycl-uid-kind"="a" }
;--- empty.ll
; CHECK: variable 'a' has no value of sycl-unique-id
@a = global i32 0 #0
attributes #0 = { "sycl-unique-id" "sycl-uid-kind"="a" }
;--- nul.ll
; CHECK: variable 'a' has a NUL in its sycl-uid-kind
@a = global i32 0 #0
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a\00b" }
;--- noted_no_kind.ll
; CHECK: variable 'a' has sycl-unique-id, and no sycl-uid-kind
@a = global i32 0
@text = private constant [17 x i8] c"sycl-unique-id=a\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @a, ptr @text }], section "llvm.metadata"
;--- noted_empty.ll
; CHECK: variable 'a' has no value of sycl-unique-id
@a = global i32 0
@text = private constant [16 x i8] c"sycl-unique-id=\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @a, ptr @text }], section "llvm.metadata"
;--- two_ids.ll
; CHECK: variable 'a' has the sycl-unique-id 'b' and 'a'
@a = global i32 0 #0
@text = private constant [17 x i8] c"sycl-unique-id=a\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @a, ptr @text }], section "llvm.metadata"
attributes #0 = { "sycl-unique-id"="b" "sycl-uid-kind"="a" }
;--- same_id.ll
; CHECK: variables 'a' and 'b' have the same sycl-unique-id 'c'
@a = global i32 0 #0
@b = global i32 0 #1
attributes #0 = { "sycl-unique-id"="c" "sycl-uid-kind"="a" }
attributes #1 = { "sycl-unique-id"="c" "sycl-uid-kind"="b" }
;--- thread.ll
; CHECK: variable 'a' is thread_local
@a = thread_local global i32 0 #0
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- space.ll
; CHECK: variable 'a' is in an address space of a device
@a = addrspace(1) global i32 0 #0
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- device.ll
; CHECK: the module is for 'spir64-unknown-unknown', a device
target triple = "spir64-unknown-unknown"
@a = global i32 0 #0
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- function.ll
; CHECK: '__register_uniquely_identifiable_object' is something else in the module
@a = global i32 0 #0
declare i32 @__register_uniquely_identifiable_object(ptr, ptr, ptr)
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- variable.ll
; CHECK: '__unregister_uniquely_identifiable_object' is something else in the module
@a = global i32 0 #0
@__unregister_uniquely_identifiable_object = global i32 0
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- damaged.ll
; CHECK: damaged.ll: {{.*}}expected
@a = global i32 0 #0
attributes #0 = { "sycl-unique-id"="a }
;--- constructors.ll
; CHECK: constructors.ll: {{.*}}global_ctors
@a = global i32 0 #0
@llvm.global_ctors = appending global [1 x i32] [i32 5]
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
;--- none.ll
; CHECK-NOT: llvm.global_ctors
; CHECK-NOT: uniquely
; CHECK: @a = global i32 0
; CHECK-NOT: llvm.global_ctors
; CHECK-NOT: uniquely
; ABSENT: absent.ll: {{.*}}No such file
; GARBAGE: garbage.bc: {{.*}}error:
; LONG: c"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
; LONG: call void @__register_uniquely_identifiable_object(ptr @a,
; LONG-NOT: call void @__register_uniquely_identifiable_object
; OPTIONS: --host-pass takes an LLVM module
; SAME: it would be overwritten
@a = global i32 0
declare void @f()
;--- odd.ll
; A list of zeros, and one whose elements are something else.
; CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @__sycl_register_uniquely_identifiable_objects, ptr null }, { i32, ptr, ptr } zeroinitializer]
; CHECK: @llvm.global_dtors = appending global [1 x
; CHECK: call void @__register_uniquely_identifiable_object(ptr @a,
; CHECK-NOT: call void @__register_uniquely_identifiable_object
@a = global i32 0 #0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] zeroinitializer
@llvm.global_dtors = appending global [0 x { i32, ptr, ptr }] zeroinitializer
@llvm.global.annotations = appending global [3 x { ptr, i32 }] [{ ptr, i32 } { ptr @a, i32 5 }, { ptr, i32 } zeroinitializer, { ptr, i32 } undef], section "llvm.metadata"
attributes #0 = { "sycl-unique-id"="a" "sycl-uid-kind"="a" }
