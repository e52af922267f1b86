/*
 * In each public function that allocates, every allocation of the library's own code and of jansson
 * fails once. The call reports that, leaves its outputs alone and leaks nothing; the same call
 * works afterwards.
 */
#define _GNU_SOURCE /* mkstemp */
#include "../unit/memory.h"
#include "class_module.h"

#include "../support/tests.h"

#include <specpi/compiler.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)
void *__real_malloc(size_t size);
void __real_free(void *block);
#pragma GCC visibility pop

enum { TOO_MANY = 100000 };

static void *allocate(size_t size) {
  return malloc(size);
}

static void deallocate(void *block) {
  free(block);
}

/* Makes jansson's allocations go through the wraps, or no longer. */
static void watch_jansson(bool watched) {
  json_set_alloc_funcs(watched ? allocate : __real_malloc, watched ? deallocate : __real_free);
}

/*
 * A module that causes every kind of allocation: a kernel without a buffer and its helper,
 * metadata, warnings, holes in defaults, an entry for launches with an offset and a variable that
 * it shares.
 */
static const char module_text[] =
    "target triple = \"TARGET\"\n"
    "%st = type { i32, [3 x i8], double }\n"
    "%id = type { %st }\n"
    "%id2 = type { i32 }\n"
    "@n = private constant [5 x i8] c\"name\\00\"\n"
    "@m = private constant [2 x i8] c\"m\\00\"\n"
    "@d = internal constant %id { %st { i32 1, [3 x i8] undef, double 2.0 } }\n"
    "@d2 = internal constant %id2 { i32 7 }\n"
    "@d3 = internal constant %id2 { i32 8 }\n"
    "declare void @_Z40__sycl_getComposite2020SpecConstantValueI2stET_(ptr sret(%st), ptr, ptr, "
    "ptr)\n"
    "declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)\n"
    "@counter = internal addrspace(1) global i32 0\n"
    "declare i64 @_Z17get_global_offsetj(i32)\n"
    "define internal i32 @helper() {\n"
    "  %o = call i64 @_Z17get_global_offsetj(i32 0)\n"
    "  %t = trunc i64 %o to i32\n"
    "  store i32 %t, ptr addrspace(1) @counter\n"
    "  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @m, ptr @d2, ptr null)\n"
    "  %w = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @m, ptr @d3, ptr null)\n"
    "  ret i32 %w\n"
    "}\n"
    "define CONVENTION void @k(ptr addrspace(1) %p) !reqd_work_group_size !1 !kernel_arg_type !2 "
    "!sycl_kernel_omit_args !3 {\n"
    "  %a = alloca %st\n"
    "  call void @_Z40__sycl_getComposite2020SpecConstantValueI2stET_(ptr sret(%st) %a, ptr @n, "
    "ptr @d, ptr null)\n"
    "  %v = call i32 @helper()\n"
    "  store i32 %v, ptr addrspace(1) %p\n"
    "  ret void\n"
    "}\n"
    "!nvvm.annotations = !{!0}\n"
    "!0 = !{ptr @k, !\"kernel\", i32 1}\n"
    "!1 = !{i32 8}\n"
    "!2 = !{!\"int*\"}\n"
    "!3 = !{i1 true, i1 false}\n";

/* A C++ unit: a kernel with local memory, a helper, each kind of constant, external functions. */
static const char unit_text[] =
    "target triple = \"spir64\"\n"
    "%id = type { i32 }\n"
    "@n = private constant [6 x i8] c\"_ZTSK\\00\"\n"
    "@m = private constant [6 x i8] c\"_ZTSR\\00\"\n"
    "@own = internal constant %id { i32 1 }\n"
    "@table = internal constant [2 x ptr] [ptr @own, ptr @n]\n"
    "@h = private constant [11 x i8] c\"device_has\\00\"\n"
    "declare void @__specpi_kernel_entry(ptr)\n"
    "declare void @__specpi_two_levels()\n"
    "declare void @__specpi_kernel_attribute(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64)\n"
    "declare ptr addrspace(3) @__specpi_local_memory()\n"
    "declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr, ptr, ptr)\n"
    "declare i32 @_Z33__sycl_getScalarSpecConstantValueIiET_(ptr)\n"
    "declare i32 @other() \"llvm.assume\"=\"specpi.external\"\n"
    "declare i32 @__gxx_personality_v0(...)\n"
    "declare float @sinf(float)\n"
    "define i32 @mine() \"llvm.assume\"=\"specpi.external\" {\n"
    "  ret i32 1\n"
    "}\n"
    "define i32 @helper() personality ptr @__gxx_personality_v0 {\n"
    "  %m = call ptr addrspace(3) @__specpi_local_memory()\n"
    "  %o = invoke i32 @other() to label %on unwind label %off\n"
    "on:\n"
    "  store i32 %o, ptr addrspace(3) %m\n"
    "  %f = call float @sinf(float 1.0)\n"
    "  %t = load ptr, ptr getelementptr ([2 x ptr], ptr @table, i32 0, i32 1)\n"
    "  ret i32 %o\n"
    "off:\n"
    "  %l = landingpad { ptr, i32 } cleanup\n"
    "  resume { ptr, i32 } %l\n"
    "}\n"
    "define void @k(ptr byval(i32) align 4 %object) {\n"
    "  call void @__specpi_kernel_entry(ptr @n)\n"
    "  call void @__specpi_two_levels()\n"
    "  call void @__specpi_kernel_attribute(ptr @h, i64 1, i64 6, i64 0, i64 0, i64 0, i64 0, i64 "
    "0, "
    "i64 0, i64 0)\n"
    "  call void @__specpi_kernel_attribute(ptr @h, i64 1, i64 9, i64 0, i64 0, i64 0, i64 0, i64 "
    "0, "
    "i64 0, i64 0)\n"
    "  %a = call i32 @helper()\n"
    "  %b = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr null, ptr @own, ptr "
    "null)\n"
    "  %c = call i32 @_Z33__sycl_getScalarSpecConstantValueIiET_(ptr @m)\n"
    "  ret void\n"
    "}\n";

typedef struct fixture {
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output;
  specpi_compiler_properties properties;
  specpi_compiler_mode mode;
  const char *target; /* of lowering; NULL for the module's own target */
  char text[sizeof module_text + 32];
  char path[32];
} fixture;

/* A call of one public function; *made gets the object that it creates. */
typedef specpi_compiler_result (*call)(fixture *f, void **made);
typedef void (*disposal)(void *made);

/* ---- The calls ---- */

static specpi_compiler_result create(fixture *f, void **made) {
  (void)f;
  return specpiCompilerCreate((specpi_compiler *)made);
}

static void release_compiler(void *made) {
  specpiCompilerRelease(made);
}

static specpi_compiler_result read_module(fixture *f, void **made) {
  return specpiCompilerModuleRead(f->compiler, "memory", f->text, strlen(f->text),
                                  (specpi_compiler_module *)made);
}

static specpi_compiler_result read_file(fixture *f, void **made) {
  return specpiCompilerModuleReadFile(f->compiler, f->path, (specpi_compiler_module *)made);
}

static specpi_compiler_result make_kernels(fixture *f, void **made) {
  const specpi_compiler_unit_options options = {.unit_id = "unit"};
  return specpiCompilerModuleMakeKernels(f->module, &options, (specpi_compiler_module *)made);
}

static specpi_compiler_result write_module(fixture *f, void **made) {
  size_t size;
  return specpiCompilerModuleWrite(f->module, SPECPI_COMPILER_FORM_BC, made, &size);
}

static void release_module(void *made) {
  specpiCompilerModuleRelease(made);
}

static specpi_compiler_result lower(fixture *f, void **made) {
  const specpi_compiler_options options = {.mode = f->mode, .target = f->target};
  return specpiCompilerLower(f->module, &options, (specpi_compiler_output *)made);
}

static void release_output(void *made) {
  specpiCompilerOutputRelease(made);
}

/* Lowers and gets every form and the code. The output is new in each call, because it keeps them.
 */
static specpi_compiler_result ask(fixture *f, void **made) {
  specpi_compiler_output output = NULL;
  specpi_compiler_result result = lower(f, (void **)&output);
  for (int form = 0; form < SPECPI_COMPILER_FORM_COUNT && result == SPECPI_COMPILER_SUCCESS;
       form++) {
    const void *data = f;
    size_t size = 99;
    result = specpiCompilerOutputGetData(output, (specpi_compiler_form)form, &data, &size);
    if (result == SPECPI_COMPILER_ERROR_OUT_OF_MEMORY && (data != f || size != 99))
      result = SPECPI_COMPILER_ERROR_INTERNAL;
  }
  if (result == SPECPI_COMPILER_SUCCESS && f->mode == SPECPI_COMPILER_MODE_PATCH) {
    const specpi_compiler_code_options options = {.gpu = "sm_80"};
    const void *data;
    size_t size;
    result = specpiCompilerOutputGenerate(output, &options, &data, &size);
  }
  if (result == SPECPI_COMPILER_SUCCESS)
    *made = output;
  else
    specpiCompilerOutputRelease(output);
  return result;
}

static specpi_compiler_result get_properties(fixture *f, void **made) {
  return specpiCompilerOutputGetProperties(f->output, (specpi_compiler_properties *)made);
}

static void release_properties(void *made) {
  specpiCompilerPropertiesRelease(made);
}

static specpi_compiler_result write_as(fixture *f, specpi_compiler_property_form form,
                                       void **made) {
  size_t size;
  return specpiCompilerPropertiesWrite(f->properties, form, (char **)made, &size);
}

static specpi_compiler_result write_text(fixture *f, void **made) {
  return write_as(f, SPECPI_COMPILER_PROPERTY_FORM_TEXT, made);
}

static specpi_compiler_result write_json(fixture *f, void **made) {
  return write_as(f, SPECPI_COMPILER_PROPERTY_FORM_JSON, made);
}

static specpi_compiler_result read_text(fixture *f, void **made) {
  (void)f;
  static const char text[] = "[s]\na=2|IAAAAAAAAAQQ\nb=1|7\n[t]\n";
  return specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_TEXT, text, sizeof text - 1,
                                      (specpi_compiler_properties *)made);
}

static specpi_compiler_result read_json(fixture *f, void **made) {
  (void)f;
  static const char text[] =
      "[{\"set\": \"s\", \"properties\": [{\"name\": \"a\", \"bytes\": \"080000000000000041\"}, "
      "{\"name\": \"b\", \"number\": 7}]}, {\"set\": \"t\", \"properties\": []}]";
  return specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_JSON, text, sizeof text - 1,
                                      (specpi_compiler_properties *)made);
}

static specpi_compiler_result wrap(fixture *f, void **made) {
  static const char *const kernels[] = {"k"};
  const specpi_compiler_image images[] = {
      {.target = "spir64",
       .data = "x",
       .size = 1,
       .kernels = kernels,
       .kernel_count = 1,
       .properties = f->properties},
      {.target = "nvptx64", .data = "y", .size = 1},
  };
  const specpi_compiler_wrap_options options = {.registers = true, .symbol = "images"};
  size_t size;
  return specpiCompilerWrap(f->compiler, 2, images, &options, made, &size);
}

/* ---- The loop ---- */

static void try_all(fixture *f, call function, disposal dispose, size_t least) {
  for (long n = 0; n < TOO_MANY; n++) {
    void *made = f;
    memory_watch(n);
    const specpi_compiler_result result = function(f, &made);
    if (result == SPECPI_COMPILER_SUCCESS)
      dispose(made);
    const memory_use use = memory_unwatch();
    if (use.held != 0)
      fail_msg("allocation %ld: %ld blocks are held", n, use.held);
    if (!use.failed) {
      assert_int_equal(result, SPECPI_COMPILER_SUCCESS);
      assert_in_range(n, least, TOO_MANY);
      return;
    }
    if (result != SPECPI_COMPILER_ERROR_OUT_OF_MEMORY || made != f ||
        strcmp(specpiCompilerGetLastError(), "an allocation failed") != 0)
      fail_msg("allocation %ld: %s, %s", n, specpiCompilerResultGetName(result),
               specpiCompilerGetLastError());
  }
  fail_msg("there is no end");
}

/* Writes module_text for a target and a calling convention to f->text. */
static void make_text(fixture *f, const char *target, const char *convention) {
  const char *at = strstr(module_text, "TARGET");
  const char *then = strstr(module_text, "CONVENTION");
  snprintf(f->text, sizeof f->text, "%.*s%s%.*s%s%s", (int)(at - module_text), module_text, target,
           (int)(then - at) - 6, at + 6, convention, then + 10);
}

static void with_target(const char *target, const char *convention, const char *lowered,
                        bool spir) {
  fixture f = {.mode = SPECPI_COMPILER_MODE_NATIVE, .target = lowered};
  make_text(&f, target, convention);
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(read_module(&f, (void **)&f.module), SPECPI_COMPILER_SUCCESS);
  for (int mode = 0; mode < SPECPI_COMPILER_MODE_COUNT; mode++) {
    f.mode = (specpi_compiler_mode)mode;
    if (spir && f.mode == SPECPI_COMPILER_MODE_PATCH)
      continue;
    try_all(&f, lower, release_output, 5);
    try_all(&f, ask, release_output, 10);
    assert_int_equal(lower(&f, (void **)&f.output), SPECPI_COMPILER_SUCCESS);
    try_all(&f, get_properties, release_properties, 3);
    specpiCompilerOutputRelease(f.output);
  }
  specpiCompilerModuleRelease(f.module);
  specpiCompilerRelease(f.compiler);
}

TEST(lowering_for_spir_reports_failed_allocations) {
  with_target("spir64", "spir_kernel", NULL, true);
}

TEST(lowering_for_nvptx_reports_failed_allocations) {
  with_target("nvptx64", "", NULL, false);
}

TEST(lowering_from_spir_to_nvptx_reports_failed_allocations) {
  with_target("spir64", "spir_kernel", "nvptx64", false);
}

TEST(reading_reports_failed_allocations) {
  fixture f = {.path = "/tmp/specpi-memory-XXXXXX"};
  make_text(&f, "spir64", "spir_kernel");
  const int file = mkstemp(f.path);
  assert_int_equal(write(file, f.text, strlen(f.text)), strlen(f.text));
  assert_int_equal(close(file), 0);
  try_all(&f, create, release_compiler, 1);
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  try_all(&f, read_module, release_module, 1);
  try_all(&f, read_file, release_module, 1);
  specpiCompilerRelease(f.compiler);
  unlink(f.path);
}

static specpi_compiler_result register_variables(fixture *f, void **made) {
  return specpiCompilerRegisterVariables(f->module, (specpi_compiler_output *)made);
}

static specpi_compiler_result register_classes(fixture *f, void **made) {
  const specpi_compiler_unit_options options = {.unit_id = "U"};
  return specpiCompilerRegisterUnitVariables(f->module, &options, (specpi_compiler_output *)made);
}

/* Registers a variable whose class only debug information says. */
TEST(registration_by_class_reports_failed_allocations) {
  fixture f = {0};
  strcpy(f.text, CLASS_MODULE("a", "spec_id<int>"));
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(read_module(&f, (void **)&f.module), SPECPI_COMPILER_SUCCESS);
  try_all(&f, register_classes, release_output, 6);
  specpiCompilerModuleRelease(f.module);
  specpiCompilerRelease(f.compiler);
}

/* Registers a variable with attributes and one with annotations, beside other constructors. */
TEST(registration_reports_failed_allocations) {
  fixture f = {0};
  strcpy(f.text, "@a = global i32 0 #0\n"
                 "@b = global i32 0\n"
                 "@t = private constant [16 x i8] c\"sycl-unique-id=b\"\n"
                 "@k = private constant [15 x i8] c\"sycl-uid-kind=k\"\n"
                 "@llvm.global.annotations = appending global [2 x { ptr, ptr }] "
                 "[{ ptr, ptr } { ptr @b, ptr @t }, { ptr, ptr } { ptr @b, ptr @k }]\n"
                 "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] zeroinitializer\n"
                 "attributes #0 = { \"sycl-unique-id\"=\"a\" \"sycl-uid-kind\"=\"k\" }\n");
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(read_module(&f, (void **)&f.module), SPECPI_COMPILER_SUCCESS);
  try_all(&f, register_variables, release_output, 10);
  specpiCompilerModuleRelease(f.module);
  specpiCompilerRelease(f.compiler);
}

TEST(property_sets_report_failed_allocations) {
  fixture f = {0};
  try_all(&f, read_text, release_properties, 6);
  watch_jansson(false); /* jansson's reader reports a failed allocation as a syntax error */
  try_all(&f, read_json, release_properties, 6);
  watch_jansson(true);
  assert_int_equal(read_text(&f, (void **)&f.properties), SPECPI_COMPILER_SUCCESS);
  try_all(&f, write_text, free, 1);
  try_all(&f, write_json, free, 6);
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  try_all(&f, wrap, free, 5);
  specpiCompilerRelease(f.compiler);
  specpiCompilerPropertiesRelease(f.properties);
}

TEST(units_report_failed_allocations) {
  fixture f = {.mode = SPECPI_COMPILER_MODE_EMULATE};
  specpi_compiler_module unit;
  assert_int_equal(create(&f, (void **)&f.compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(
      specpiCompilerModuleRead(f.compiler, "unit", unit_text, strlen(unit_text), &unit),
      SPECPI_COMPILER_SUCCESS);
  f.module = unit;
  try_all(&f, make_kernels, release_module, 20);
  try_all(&f, write_module, free, 1);
  assert_int_equal(make_kernels(&f, (void **)&f.module), SPECPI_COMPILER_SUCCESS);
  try_all(&f, lower, release_output, 10);
  assert_int_equal(lower(&f, (void **)&f.output), SPECPI_COMPILER_SUCCESS);
  try_all(&f, get_properties, release_properties, 10);
  specpiCompilerOutputRelease(f.output);
  specpiCompilerModuleRelease(f.module);
  specpiCompilerModuleRelease(unit);
  specpiCompilerRelease(f.compiler);
}

int main(void) {
  watch_jansson(true);
  return tests_run(NULL, NULL);
}
