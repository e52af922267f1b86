/*
 * CLASS_MODULE(variable, class): the text of a module with a variable of a class of namespace sycl,
 * which only debug information names.
 */
#ifndef TEST_COMPILER_CLASS_MODULE_H
#define TEST_COMPILER_CLASS_MODULE_H

#define CLASS_MODULE(variable, class)                                                              \
  "@" variable " = internal global { i32 } zeroinitializer, !dbg !0\n"                             \
  "!llvm.dbg.cu = !{!2}\n"                                                                         \
  "!llvm.module.flags = !{!6}\n"                                                                   \
  "!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())\n"                             \
  "!1 = distinct !DIGlobalVariable(name: \"a\", scope: !2, file: !3, type: !4, "                   \
  "isLocal: true, isDefinition: true)\n"                                                           \
  "!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, "                         \
  "emissionKind: FullDebug)\n"                                                                     \
  "!3 = !DIFile(filename: \"a.cpp\", directory: \"/\")\n"                                          \
  "!4 = distinct !DICompositeType(tag: DW_TAG_class_type, name: \"" class "\", "                   \
                                                                          "scope: !5, file: !3)\n" \
                                                                          "!5 = "                  \
                                                                          "!DINamespace(name: "    \
                                                                          "\"sycl\", scope: "      \
                                                                          "null)\n"                \
                                                                          "!6 = !{i32 2, "         \
                                                                          "!\"Debug Info "         \
                                                                          "Version\", i32 3}\n"

#endif
