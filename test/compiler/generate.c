/*
 * The functions that generate code: arguments, errors, lifetimes of results. The program's
 * arguments are modules for SPIR, which are generated in every mode that has PTX.
 */
#include "../support/tests.h"

#include <specpi/compiler.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char kernel_text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "%id = type { i32 }\n"
    "@n = private constant [2 x i8] c\"n\\00\"\n"
    "@d = internal constant %id { i32 258 }\n"
    "declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)\n"
    "declare i32 @from_library(i32)\n"
    "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
    "  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_("
    "ptr @n, ptr @d, ptr null)\n"
    "  %w = call i32 @from_library(i32 %v)\n"
    "  store i32 %w, ptr addrspace(1) %p\n"
    "  ret void\n"
    "}\n";

static const char library_text[] =
    "target triple = \"nvptx64-unknown-unknown\"\n"
    "@table = addrspace(1) constant [2 x i32] [i32 3, i32 4]\n"
    "@unused_table = addrspace(1) constant [2 x i32] [i32 5, i32 6]\n"
    "define i32 @from_library(i32 %x) #0 {\n"
    "  %p = getelementptr [2 x i32], ptr addrspace(1) @table, i32 0, i32 %x\n"
    "  %v = load i32, ptr addrspace(1) %p\n"
    "  ret i32 %v\n"
    "}\n"
    "define i32 @unused() {\n"
    "  %v = load i32, ptr addrspace(1) @unused_table\n"
    "  ret i32 %v\n"
    "}\n"
    "attributes #0 = { \"target-cpu\"=\"sm_20\" \"target-features\"=\"+ptx32\" }\n";

static int modules_count;
static char **modules;
static char library_path[] = "/tmp/specpi-library-XXXXXX";

static specpi_compiler_module read_text(specpi_compiler compiler, const char *text) {
  specpi_compiler_module module = NULL;
  assert_int_equal(specpiCompilerModuleRead(compiler, "text", text, strlen(text), &module),
                   SPECPI_COMPILER_SUCCESS);
  return module;
}

static specpi_compiler_output lower(specpi_compiler_module module, specpi_compiler_mode mode) {
  const specpi_compiler_options options = {.mode = mode};
  specpi_compiler_output output = NULL;
  assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
  return output;
}

static void write_file(const void *data, size_t size) {
  FILE *file = fopen(library_path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* A compiler, the kernel's module lowered in mode PATCH, and the bitcode of a library. */
typedef struct world {
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output;
  specpi_compiler_module library;
  specpi_compiler_output library_output;
  const void *bitcode;
  size_t bitcode_size;
} world;

static int setup(void **state) {
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  assert_int_equal(specpiCompilerCreate(&w->compiler), SPECPI_COMPILER_SUCCESS);
  w->module = read_text(w->compiler, kernel_text);
  w->output = lower(w->module, SPECPI_COMPILER_MODE_PATCH);
  w->library = read_text(w->compiler, library_text);
  w->library_output = lower(w->library, SPECPI_COMPILER_MODE_DEFAULT);
  assert_int_equal(specpiCompilerOutputGetData(w->library_output, SPECPI_COMPILER_FORM_BC,
                                               &w->bitcode, &w->bitcode_size),
                   SPECPI_COMPILER_SUCCESS);
  write_file(w->bitcode, w->bitcode_size);
  *state = w;
  return 0;
}

static int teardown(void **state) {
  world *w = *state;
  specpiCompilerOutputRelease(w->library_output);
  specpiCompilerModuleRelease(w->library);
  specpiCompilerOutputRelease(w->output);
  specpiCompilerModuleRelease(w->module);
  specpiCompilerRelease(w->compiler);
  free(w);
  return 0;
}

/* Expects an error with this message, which leaves the outputs as they were. */
static void refuses(specpi_compiler_output output, const specpi_compiler_code_options *options,
                    specpi_compiler_result code, const char *sentence) {
  const void *const untouched = &output;
  const void *data = untouched;
  size_t size = 77;
  assert_int_equal(specpiCompilerOutputGenerate(output, options, &data, &size), code);
  if (sentence != NULL)
    assert_string_equal(specpiCompilerGetLastError(), sentence);
  assert_string_not_equal(specpiCompilerGetLastError(), "");
  assert_ptr_equal(data, untouched);
  assert_int_equal(size, 77);
}

TEST_WITH(wrong_arguments_are_refused, setup, teardown) {
  world *w = *state;
  const specpi_compiler_result invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  specpi_compiler_code_options options = {0};
  const void *data;
  size_t size;
  refuses(NULL, &options, invalid, "output is NULL");
  refuses(w->output, NULL, invalid, "options is NULL");
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, NULL, &size), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "data is NULL");
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &data, NULL), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "size is NULL");
  options.optimization = 4;
  refuses(w->output, &options, invalid, "there is no optimization 4, only 0 to 3");
  options.optimization = 0;
  options.library_count = 1;
  refuses(w->output, &options, invalid, "libraries is NULL");
  const char *paths[] = {library_path, NULL};
  options.libraries = paths;
  options.library_count = 2;
  refuses(w->output, &options, invalid, "library 1 is NULL");
}

TEST_WITH(wrong_targets_are_refused, setup, teardown) {
  world *w = *state;
  const char *path = library_path;
  specpi_compiler_code_options options = {.gpu = "h200", .libraries = &path, .library_count = 1};
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_INVALID_TARGET,
          "the GPU 'h200' is not known; one is called e.g. 'sm_80'");
  options.gpu = NULL;
  specpi_compiler_output native = lower(w->module, SPECPI_COMPILER_MODE_NATIVE);
  refuses(native, &options, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
          "an output of mode native has constants of SPIR-V, for which there is no PTX");
  specpiCompilerOutputRelease(native);
  specpi_compiler_module spir = read_text(w->compiler, "target triple = \"spir64\"\n");
  specpi_compiler_output output = lower(spir, SPECPI_COMPILER_MODE_DEFAULT);
  refuses(output, &options, SPECPI_COMPILER_ERROR_INVALID_TARGET,
          "PTX is for the target nvptx64, and the output is for 'spir64'");
  specpi_compiler_output untouched = output;
  const specpi_compiler_options patch = {.mode = SPECPI_COMPILER_MODE_PATCH};
  assert_int_equal(specpiCompilerLower(spir, &patch, &untouched),
                   SPECPI_COMPILER_ERROR_INVALID_TARGET);
  assert_ptr_equal(untouched, output);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(spir);
}

TEST_WITH(libraries_are_linked_or_refused, setup, teardown) {
  world *w = *state;
  const char *path = "/nowhere/library.bc";
  specpi_compiler_code_options options = {.optimization = 2};
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_UNRESOLVED,
          "1 used and defined neither by the module nor by a library: 'from_library'");
  options.libraries = &path;
  options.library_count = 1;
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_FILE,
          "library '/nowhere/library.bc': No such file or directory");
  path = "/";
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_FILE, NULL);
  path = library_path;
  write_file("", 0);
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_INVALID_MODULE, NULL);
  write_file(library_text, sizeof library_text - 1);
  refuses(w->output, &options, SPECPI_COMPILER_ERROR_INVALID_MODULE, NULL);
  /* A library that is cut off is refused, unless the missing part is not needed. */
  for (size_t cut = 4; cut < w->bitcode_size; cut += 4) {
    const void *data;
    size_t size;
    write_file(w->bitcode, cut);
    if (specpiCompilerOutputGenerate(w->output, &options, &data, &size) != SPECPI_COMPILER_SUCCESS)
      assert_string_not_equal(specpiCompilerGetLastError(), "");
  }
  /* The compiler still works after these errors. */
  const void *data;
  size_t size;
  write_file(w->bitcode, w->bitcode_size);
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &data, &size),
                   SPECPI_COMPILER_SUCCESS);
  assert_null(strstr(data, "unused"));
  assert_null(strstr(data, ".extern"));
  assert_non_null(strstr(data, ".global .align 4 .b8 table[8]"));
  /* A library that is passed twice is linked once. */
  const char *const twice[] = {library_path, library_path};
  options.libraries = twice;
  options.library_count = 2;
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &data, &size),
                   SPECPI_COMPILER_SUCCESS);
}

TEST_WITH(code_lives_as_long_as_its_output, setup, teardown) {
  world *w = *state;
  const char *path = library_path;
  specpi_compiler_code_options options = {
      .optimization = 2, .libraries = &path, .library_count = 1};
  const void *first;
  const void *again;
  const void *other;
  size_t first_size;
  size_t size;
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &first, &first_size),
                   SPECPI_COMPILER_SUCCESS);
  /* Earlier results stay valid while the output lives. */
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &again, &size),
                   SPECPI_COMPILER_SUCCESS);
  assert_int_equal(size, first_size);
  assert_memory_equal(first, again, size);
  options.gpu = "sm_61";
  options.optimization = 0;
  assert_int_equal(specpiCompilerOutputGenerate(w->output, &options, &other, &size),
                   SPECPI_COMPILER_SUCCESS);
  assert_non_null(strstr(other, ".target sm_61"));
  assert_non_null(strstr(first, ".target sm_80"));
  assert_int_equal(((const char *)first)[first_size], '\0');
  assert_int_equal(strlen(first), first_size);
  /* The trailer's last line has 53 characters and starts here. */
  char *end = (char *)(uintptr_t)first + first_size - 53;
  assert_memory_equal(end, "//!specpi end ", 14);
  const unsigned long text_size = strtoul(end + 14, &end, 10);
  const unsigned long trailer_size = strtoul(end, &end, 10);
  const unsigned long long hash = strtoull(end, NULL, 16);
  assert_int_equal(text_size + trailer_size, first_size);
  unsigned long long wanted = 0xcbf29ce484222325u;
  for (size_t i = 0; i < first_size - 17; i++)
    wanted = (wanted ^ ((const unsigned char *)first)[i]) * 0x100000001b3u;
  assert_true(hash == wanted);
  char *line = strstr((char *)(uintptr_t)first, "//!specpi place ");
  assert_non_null(line);
  assert_int_equal(strtoul(line + strlen("//!specpi place "), &line, 10), 0);
  const unsigned long offset = strtoul(line, &line, 10);
  assert_int_equal(strtoul(line, NULL, 10), 4);
  assert_true(offset + 8 < text_size);
  assert_memory_equal((const char *)first + offset - 2, "0x00000102;", 11);
}

/* Generates every module for NVPTX in every mode, without and with all optimisations. */
TEST(each_module_is_generated_in_every_mode) {
  static const specpi_compiler_mode modes[] = {
      SPECPI_COMPILER_MODE_PATCH, SPECPI_COMPILER_MODE_EMULATE, SPECPI_COMPILER_MODE_DEFAULT};
  int generated = 0;
  for (int i = 0; i < modules_count; i++) {
    specpi_compiler compiler;
    specpi_compiler_module module;
    assert_int_equal(specpiCompilerCreate(&compiler), SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerModuleReadFile(compiler, modules[i], &module),
                     SPECPI_COMPILER_SUCCESS);
    for (size_t j = 0; j < sizeof modes / sizeof modes[0]; j++) {
      const specpi_compiler_options options = {.mode = modes[j], .target = "nvptx64"};
      specpi_compiler_output output;
      assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
      for (unsigned level = 0; level <= 3; level += 3) {
        const specpi_compiler_code_options code = {.optimization = level};
        const void *data;
        size_t size;
        const specpi_compiler_result result =
            specpiCompilerOutputGenerate(output, &code, &data, &size);
        /* One module is refused because it requires sub-groups of 8. */
        assert_true(result == SPECPI_COMPILER_SUCCESS ||
                    result == SPECPI_COMPILER_ERROR_UNRESOLVED ||
                    result == SPECPI_COMPILER_ERROR_INVALID_KERNEL);
        generated += result == SPECPI_COMPILER_SUCCESS;
      }
      specpiCompilerOutputRelease(output);
    }
    specpiCompilerModuleRelease(module);
    specpiCompilerRelease(compiler);
  }
  assert_true(generated > modules_count);
}

/* Generates code with a compiler of its own; returns a copy, which is the same in each thread. */
static void *generate_alone(void *data) {
  const char *path = library_path;
  const specpi_compiler_code_options options = {
      .optimization = 2, .libraries = &path, .library_count = 1};
  const specpi_compiler_options patch = {.mode = SPECPI_COMPILER_MODE_PATCH};
  specpi_compiler compiler = NULL;
  specpi_compiler_module module = NULL;
  specpi_compiler_output output = NULL;
  const void *text = NULL;
  size_t size;
  char *copy = NULL;
  (void)data;
  if (specpiCompilerCreate(&compiler) == SPECPI_COMPILER_SUCCESS &&
      specpiCompilerModuleRead(compiler, "text", kernel_text, sizeof kernel_text - 1, &module) ==
          SPECPI_COMPILER_SUCCESS &&
      specpiCompilerLower(module, &patch, &output) == SPECPI_COMPILER_SUCCESS &&
      specpiCompilerOutputGenerate(output, &options, &text, &size) == SPECPI_COMPILER_SUCCESS)
    copy = strdup(text);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  specpiCompilerRelease(compiler);
  return copy;
}

TEST_WITH(threads_generate_the_same_code, setup, teardown) {
  world *w = *state;
  enum { COUNT = 8 };
  pthread_t threads[COUNT];
  write_file(w->bitcode, w->bitcode_size);
  char *alone = generate_alone(NULL);
  assert_non_null(alone);
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, generate_alone, NULL), 0);
  for (int i = 0; i < COUNT; i++) {
    void *text;
    assert_int_equal(pthread_join(threads[i], &text), 0);
    assert_non_null(text);
    assert_string_equal(text, alone);
    free(text);
  }
  free(alone);
}

int main(int argument_count, char **arguments) {
  modules_count = argument_count - 1;
  modules = arguments + 1;
  const int file = mkstemp(library_path);
  if (file < 0)
    return 1;
  close(file);
  const int status = tests_run(NULL, NULL);
  unlink(library_path);
  return status;
}
