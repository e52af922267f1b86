; With debug information an error has the place in the source, and the place in the unit's own file.
; RUN: not %lower --unit-id=unit --emit=kernels %s 2>&1 | FileCheck %s
; CHECK: error: kernel 'a::b': function 'f(int)' throws an exception (lib.hpp:7, called at unit.cpp:3), which a device cannot do (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
; For an instruction without a line the error has the line of the function.
; RUN: sed 's/, !dbg !9$//' %s > %t.ll
; RUN: not %lower --unit-id=unit --emit=kernels %t.ll 2>&1 | FileCheck %s --check-prefix=FUNCTION
; FUNCTION: throws an exception (lib.hpp:5, called at unit.cpp:3), which
source_filename = "unit.cpp"
target triple = "spir64-unknown-unknown"
@.name = private constant [11 x i8] c"_ZTSN1a1bE\00"
declare void @__specpi_kernel_entry(ptr)
declare void @__cxa_throw(ptr, ptr, ptr)
define void @entry(ptr byval(i32) align 4 %object) !dbg !4 {
  call void @__specpi_kernel_entry(ptr @.name), !dbg !6
  call void @_Z1gi(i32 0), !dbg !6
  ret void
}
define void @_Z1gi(i32 %x) !dbg !10 {
  call void @_Z1fi(i32 %x), !dbg !11
  ret void
}
define void @_Z1fi(i32 %x) !dbg !7 {
  call void @__cxa_throw(ptr null, ptr null, ptr null), !dbg !9
  unreachable
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "unit.cpp", directory: "/directory")
!2 = !DIFile(filename: "lib.hpp", directory: "/directory")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "entry", file: !1, line: 2, type: !5, scopeLine: 2, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !12)
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = distinct !DISubprogram(name: "f", file: !2, line: 5, type: !5, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!9 = !DILocation(line: 7, column: 1, scope: !7)
!10 = distinct !DISubprogram(name: "g", file: !2, line: 10, type: !5, scopeLine: 10, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 11, column: 1, scope: !10)
!12 = !{}
