; Debug information has the names of variables in the code, and no shared memory: ptxas refuses the
; debug information that LLVM writes by itself.
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; CHECK: .target sm_80, debug
; CHECK: .visible .global .align 4 .u32 _k_table
; CHECK: .shared .align 16 .b8 _k_shared[16]
; CHECK: .section .debug_info
; CHECK-NOT: .shared
; CHECK: .b64 _k_table
; CHECK-NOT: shared{{$}}
target triple = "spir64-unknown-unknown"
@k.shared = internal addrspace(3) global [4 x i32] undef, !dbg !0
@k.table = addrspace(2) constant i32 5, !dbg !6
define spir_kernel void @k(ptr addrspace(1) %p) !dbg !12 {
  %v = load i32, ptr addrspace(2) @k.table, !dbg !15
  store volatile i32 %v, ptr addrspace(3) @k.shared, !dbg !15
  store i32 %v, ptr addrspace(1) %p, !dbg !15
  ret void, !dbg !15
}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!10, !11}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 1, type: !5, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, nameTableKind: None)
!3 = !DIFile(filename: "k.cl", directory: "/")
!4 = !{!0, !6}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
!7 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 2, type: !5, isLocal: false, isDefinition: true)
!10 = !{i32 2, !"Dwarf Version", i32 2}
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 3, type: !13, unit: !2, spFlags: DISPFlagDefinition)
!13 = !DISubroutineType(types: !14)
!14 = !{null}
!15 = !DILocation(line: 3, column: 1, scope: !12)
