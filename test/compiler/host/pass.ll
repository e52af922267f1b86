; The pass reads attributes of global variables from the module's text, in several groups and with
; escapes. It also reads annotations, from compilers that cannot emit attributes.
; RUN: %specpi-cc --host-pass %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=OTHER
; A second run changes nothing, and bitcode gives the same result as text.
; RUN: %specpi-cc --host-pass %t.ll -o %t.bc
; RUN: %specpi-cc --host-pass %t.bc -o %t.again.ll
; RUN: FileCheck %s --input-file=%t.again.ll
; RUN: %specpi-cc --host-pass %t.again.ll > %t.third
; RUN: grep -v ModuleID %t.again.ll > %t.left
; RUN: grep -v ModuleID %t.third > %t.right
; RUN: diff %t.left %t.right
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%class.specialization_id = type { i32 }

; The proposal's example, and its shadowed variables.
@spec_const = dso_local global %class.specialization_id { i32 38 }, align 4 #0
@FuBar = dso_local global %class.specialization_id zeroinitializer, align 8 #1
@_ZN12_GLOBAL__N_15FuBarE = internal global %class.specialization_id zeroinitializer, align 8 #2
; Names, ids and neighbouring text that look like attributes.
@"a \22name\22 #7" = global i32 0, section "s #0", comdat($group), align 4 #3
@0 = private constant [6 x i8] c" #0 #1", align 1
@plain = global i32 0, align 4 #5
@inline = linkonce_odr global i32 0, comdat #4
@string = global [4 x i8] c"\0A@x\00" #6
; Variables that this module only declares.
@elsewhere = external global i32 #0
@copy = available_externally global i32 0 #0
@annotated = internal constant i32 5
@both = global i32 6 #7
@alias = alias i32, ptr @annotated

@id = private unnamed_addr constant [20 x i8] c"sycl-unique-id=noted", section "llvm.metadata"
@kind = private unnamed_addr constant [22 x i8] c"sycl-uid-kind=any kind", section "llvm.metadata"
@id.both = private unnamed_addr constant [20 x i8] c"sycl-unique-id=both\00", section "llvm.metadata"
@other = private unnamed_addr constant [9 x i8] c"whatever\00", section "llvm.metadata"
@file = private unnamed_addr constant [6 x i8] c"a.cpp\00", section "llvm.metadata"
@llvm.global.annotations = appending global [6 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @annotated, ptr @id, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @annotated, ptr @kind, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @both, ptr @id.both, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @user, ptr @id, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @other, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @elsewhere, ptr @file, i32 1, ptr null }], section "llvm.metadata"

$group = comdat any
$inline = comdat any

@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @user, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @user, ptr @inline }]

; The registration is the first constructor; the others stay.
; CHECK: @llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @__sycl_register_uniquely_identifiable_objects, ptr null }, { i32, ptr, ptr } { i32 0, ptr @user, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @user, ptr @inline }]
; CHECK: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @__sycl_unregister_uniquely_identifiable_objects, ptr null }]
; OTHER-DAG: @[[#ID:]] = private unnamed_addr constant [11 x i8] c"spec_const\00"
; OTHER-DAG: private unnamed_addr constant [18 x i8] c"specialization_id\00"
; OTHER-DAG: private unnamed_addr constant [25 x i8] c"uid___(unnamed)::\22FuBar\22\00"
; OTHER-DAG: private unnamed_addr constant [14 x i8] c"new\0Aline\\\C3\A9 }\00"
; OTHER-DAG: private unnamed_addr constant [6 x i8] c"noted\00"
; OTHER-DAG: private unnamed_addr constant [9 x i8] c"any kind\00"

define void @user() #8 {
"attributes #0":
  ret void
}

; CHECK: declare void @__register_uniquely_identifiable_object(ptr, ptr, ptr)
; CHECK: declare void @__unregister_uniquely_identifiable_object(ptr, ptr, ptr)
; CHECK: define internal void @__sycl_register_uniquely_identifiable_objects() #[[#ATTRIBUTES:]] section ".text.startup" {
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @spec_const, ptr @[[#]], ptr @[[#]])
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @FuBar,
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @_ZN12_GLOBAL__N_15FuBarE,
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @"a \22name\22 #7",
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @inline,
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @string,
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @annotated,
; CHECK-NEXT: call void @__register_uniquely_identifiable_object(ptr @both,
; CHECK-NEXT: ret void
; CHECK: define internal void @__sycl_unregister_uniquely_identifiable_objects()
; CHECK-NEXT: call void @__unregister_uniquely_identifiable_object(ptr @spec_const,
; CHECK-COUNT-7: call void @__unregister_uniquely_identifiable_object(
; CHECK-NEXT: ret void
; CHECK: attributes #[[#ATTRIBUTES]] = { nounwind }

attributes #0 = { "sycl-unique-id"="spec_const" "sycl-uid-kind"="specialization_id" }
attributes #1 = { "other" "sycl-uid-kind"="device_global" "sycl-unique-id"="FuBar" "x"="sycl-unique-id" }
attributes #2 = { "sycl-unique-id"="uid___(unnamed)::\22FuBar\22" "sycl-uid-kind"="device_global" }
attributes #3 = { "sycl-uid-kind"="k" "sycl-unique-id"="new\0Aline\5C\C3\A9 }" }
attributes #4 = { "sycl-uid-kind"="k" "sycl-unique-id"="inline" }
attributes #5 = { "sycl-unique-id.not"="a" "a"="\22 \22sycl-unique-id\22=\22b" }
attributes #6 = { "sycl-uid-kind"="k" "sycl-unique-id"="string" }
attributes #7 = { "sycl-uid-kind"="k" "sycl-unique-id"="both" }
attributes #8 = { nounwind "sycl-uid-kind"="of a function" "sycl-unique-id"="of a function" }
