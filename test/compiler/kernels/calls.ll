; Functions of other images are recorded with a description of their call, for messages of the runtime.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s
; RUN: %lower --unit-id=unit --emit=prop %s | FileCheck %s --check-prefix=PROP
; CHECK: !specpi.calls = !{![[#F:]], ![[#H:]]}
; CHECK-DAG: ![[#F]] = !{!"_Z1fi", !"'f(int)', which kernel 'a::b' calls (lib.hpp:7, called at unit.cpp:3), in 'g(int)'"}
; CHECK-DAG: ![[#H]] = !{!"_Z1hi", !"'h(int)', which 'exported()' calls (unit.cpp:9)"}
; PROP: [specpi/exported functions]
; PROP-NEXT: _Z8exportedv=1|1
; PROP-NEXT: [specpi/imported functions]
; PROP-NEXT: _Z1fi=2|{{.+}}
; PROP-NEXT: _Z1hi=2|{{.+}}
source_filename = "unit.cpp"
target triple = "spir64-unknown-unknown"
@.name = private constant [11 x i8] c"_ZTSN1a1bE\00"
declare void @__specpi_kernel_entry(ptr)
declare i32 @_Z1fi(i32) "llvm.assume"="specpi.external"
declare i32 @_Z1hi(i32) "llvm.assume"="specpi.external"
declare i32 @_Z6unusedi(i32) "llvm.assume"="specpi.external"
define void @entry(ptr byval(i32) align 4 %object) !dbg !4 {
  call void @__specpi_kernel_entry(ptr @.name), !dbg !6
  %1 = call i32 @_Z1gi(i32 0), !dbg !6
  ret void
}
define i32 @_Z1gi(i32 %x) !dbg !7 {
  %1 = call i32 @_Z1fi(i32 %x), !dbg !9
  %2 = call i32 @_Z1fi(i32 %1), !dbg !8
  ret i32 %2
}
define i32 @_Z8exportedv() "llvm.assume"="specpi.external" !dbg !10 {
  %1 = call i32 @_Z1hi(i32 1), !dbg !11
  ret i32 %1
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "unit.cpp", directory: "/directory")
!2 = !DIFile(filename: "lib.hpp", directory: "/directory")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "entry", file: !1, line: 2, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 3, scope: !4)
!7 = distinct !DISubprogram(name: "g", file: !2, line: 5, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DILocation(line: 8, scope: !7)
!9 = !DILocation(line: 7, scope: !7)
!10 = distinct !DISubprogram(name: "exported", file: !1, line: 8, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 9, scope: !10)
