/*
 * The wrapper: the images are found unchanged in the object file, in a library linked from it, and
 * in the structures that the library registers. This program takes the place of libsycl.
 */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "../support/tests.h"

#include <pi/pi.h>
#include <specpi/compiler.h>

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Functions that a library calls ---- */

static char events[256];
static pi_device_binaries registered;

#pragma GCC visibility push(default)
void wrap_test_event(const char *name);
void __sycl_register_lib(pi_device_binaries library);
void __sycl_unregister_lib(pi_device_binaries library);
#pragma GCC visibility pop

void wrap_test_event(const char *name) {
  const size_t length = strlen(events);
  snprintf(events + length, sizeof events - length, "%s;", name);
}

void __sycl_register_lib(pi_device_binaries library) {
  wrap_test_event("register");
  registered = library;
}

void __sycl_unregister_lib(pi_device_binaries library) {
  wrap_test_event(library == registered ? "unregister" : "unregister another");
}

/* ---- The wrapped images ---- */

/* Property sets of each kind, and an empty one. */
static const char properties_text[] =
    "[{\"set\": \"SYCL/specialization constants\", \"properties\": [{\"name\": \"name\", "
    "\"bytes\": "
    "\"6000000000000000000000000000000004000000\"}]},"
    " {\"set\": \"SYCL/specialization constants default values\", \"properties\": [{\"name\": "
    "\"all\", \"bytes\": \"200000000000000001020304\"}]},"
    " {\"set\": \"SYCL/assert used\", \"properties\": []},"
    " {\"set\": \"SYCL/kernel param opt\", \"properties\": [{\"name\": \"one\", \"bytes\": "
    "\"030000000000000005\"}]},"
    " {\"set\": \"SYCL/misc properties\", \"properties\": [{\"name\": \"optLevel\", \"number\": 2},"
    " {\"name\": \"most\", \"number\": 4294967295}]}]";
static const unsigned char module[] = {3, 2, 0x23, 7, 0, 0, 1, 0, 0, 0,
                                       0, 0, 9,    0, 0, 0, 0, 0, 0, 0};
static const char ptx[] = ".version 7.0\n.target sm_80\n";
static const char *const kernels[] = {"one", "tw\303\266", "a \"b\""};

typedef struct fixture {
  specpi_compiler compiler;
  specpi_compiler_properties properties;
  specpi_compiler_image images[3];
} fixture;

static fixture the_fixture;

static int setup(void **state) {
  fixture *f = &the_fixture;
  assert_int_equal(specpiCompilerCreate(&f->compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_JSON, properties_text,
                                                sizeof properties_text - 1, &f->properties),
                   SPECPI_COMPILER_SUCCESS);
  f->images[0] = (specpi_compiler_image){
      .target = "spir64",
      .format = SPECPI_COMPILER_IMAGE_FORMAT_SPIRV,
      .data = module,
      .size = sizeof module,
      .compile_options = "-compile",
      .link_options = "-link",
      .kernels = kernels,
      .kernel_count = 3,
      .properties = f->properties,
  };
  f->images[1] = (specpi_compiler_image){
      .target = "nvptx64",
      .format = SPECPI_COMPILER_IMAGE_FORMAT_NATIVE,
      .data = ptx,
      .size = sizeof ptx - 1,
      .kernels = kernels + 1,
      .kernel_count = 1,
  };
  f->images[2] = (specpi_compiler_image){.target = "spir64", .data = "x", .size = 1};
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  specpiCompilerPropertiesRelease(f->properties);
  specpiCompilerRelease(f->compiler);
  return 0;
}

/* ---- The structures ---- */

static void check_property(const pi_device_binary_property_struct *got,
                           const specpi_compiler_property *wanted) {
  assert_string_equal(got->Name, wanted->name);
  if (wanted->type == SPECPI_COMPILER_PROPERTY_NUMBER) {
    assert_int_equal(got->Type, PI_PROPERTY_TYPE_UINT32);
    assert_null(got->ValAddr);
    assert_int_equal(got->ValSize, wanted->number);
    return;
  }
  assert_int_equal(got->Type, PI_PROPERTY_TYPE_BYTE_ARRAY);
  assert_int_equal(got->ValSize, wanted->size);
  assert_memory_equal(got->ValAddr, wanted->data, wanted->size);
  /* Readers load the length at the start as a number of 64 bits. */
  assert_int_equal((uintptr_t)got->ValAddr % 8, 0);
}

static void check_sets(const pi_device_binary_struct *got, specpi_compiler_properties wanted) {
  assert_int_equal(got->PropertySetsEnd - got->PropertySetsBegin,
                   specpiCompilerPropertiesGetSetCount(wanted));
  for (size_t i = 0; i < specpiCompilerPropertiesGetSetCount(wanted); i++) {
    const specpi_compiler_property *list;
    size_t count;
    const char *name = specpiCompilerPropertiesGetSet(wanted, i, &list, &count);
    pi_device_binary_property_set set = &got->PropertySetsBegin[i];
    assert_string_equal(set->Name, name);
    assert_int_equal(set->PropertiesEnd - set->PropertiesBegin, count);
    for (size_t j = 0; j < count; j++)
      check_property(&set->PropertiesBegin[j], &list[j]);
  }
}

static void check_image(const pi_device_binary_struct *got, const specpi_compiler_image *wanted) {
  assert_int_equal(got->Version, 2);
  assert_int_equal(got->Kind, PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL);
  assert_int_equal(got->Format, (int)wanted->format);
  assert_string_equal(got->DeviceTargetSpec, wanted->target);
  assert_string_equal(got->CompileOptions, wanted->compile_options ? wanted->compile_options : "");
  assert_string_equal(got->LinkOptions, wanted->link_options ? wanted->link_options : "");
  assert_null(got->ManifestStart);
  assert_null(got->ManifestEnd);
  assert_int_equal(got->BinaryEnd - got->BinaryStart, wanted->size);
  assert_memory_equal(got->BinaryStart, wanted->data, wanted->size);
  assert_int_equal((uintptr_t)got->BinaryStart % 16, 0);
  assert_int_equal(got->EntriesEnd - got->EntriesBegin, wanted->kernel_count);
  for (size_t i = 0; i < wanted->kernel_count; i++) {
    assert_string_equal(got->EntriesBegin[i].name, wanted->kernels[i]);
    assert_null(got->EntriesBegin[i].addr);
    assert_int_equal(got->EntriesBegin[i].size, 0);
    assert_int_equal(got->EntriesBegin[i].flags, 0);
  }
  check_sets(got, wanted->properties);
}

static void check_binaries(const pi_device_binaries_struct *got, const fixture *f) {
  assert_int_equal(got->Version, PI_DEVICE_BINARIES_VERSION);
  assert_int_equal(got->NumDeviceBinaries, 3);
  assert_null(got->HostEntriesBegin);
  assert_null(got->HostEntriesEnd);
  for (size_t i = 0; i < 3; i++)
    check_image(&got->DeviceBinaries[i], &f->images[i]);
}

/* Checks in /proc/self/maps that the memory at an address is read-only. */
static void check_read_only(const void *address) {
  FILE *maps = fopen("/proc/self/maps", "r");
  assert_non_null(maps);
  char line[4096];
  char permissions[8] = "";
  while (fgets(line, sizeof line, maps)) {
    char *rest; /* begin-end permissions ... */
    const uintptr_t begin = strtoul(line, &rest, 16);
    const uintptr_t end = strtoul(rest + 1, &rest, 16);
    if (begin <= (uintptr_t)address && (uintptr_t)address < end)
      snprintf(permissions, sizeof permissions, "%.4s", rest + 1);
  }
  fclose(maps);
  assert_string_equal(permissions, "r--p");
}

/* ---- Files ---- */

static void write_wrapped(fixture *f, const specpi_compiler_wrap_options *options,
                          const char *path) {
  void *bytes;
  size_t size;
  assert_int_equal(specpiCompilerWrap(f->compiler, 3, f->images, options, &bytes, &size),
                   SPECPI_COMPILER_SUCCESS);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
}

static void run(const char *command) {
  if (system(command) != 0) /* NOLINT(cert-env33-c): the command is this test's own */
    fail_msg("%s failed", command);
}

/* Returns the JSON of specpi inspect for a file. */
static json_t *inspect(const char *path) {
  char command[4096];
  snprintf(command, sizeof command, "%s inspect --json %s", SPECPI, path);
  FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c): as above */
  assert_non_null(pipe);
  json_error_t error;
  json_t *made = json_loadf(pipe, 0, &error);
  assert_int_equal(pclose(pipe), 0);
  assert_non_null(made);
  return made;
}

static void check_inspected(const char *path, const fixture *f) {
  json_t *made = inspect(path);
  const json_t *images = json_object_get(made, "images");
  assert_int_equal(json_array_size(images), 3);
  static const char *const formats[] = {"SPIR-V", "native", NULL};
  for (size_t i = 0; i < 3; i++) {
    const specpi_compiler_image *wanted = &f->images[i];
    const json_t *value = json_array_get(images, i);
    assert_string_equal(json_string_value(json_object_get(value, "target")), wanted->target);
    if (formats[i] != NULL)
      assert_string_equal(json_string_value(json_object_get(value, "format")), formats[i]);
    assert_int_equal(json_integer_value(json_object_get(value, "size")), wanted->size);
    const json_t *names = json_object_get(value, "kernels");
    assert_int_equal(json_array_size(names), wanted->kernel_count);
    for (size_t j = 0; j < wanted->kernel_count; j++)
      assert_string_equal(json_string_value(json_array_get(names, j)), wanted->kernels[j]);
  }
  const json_t *first = json_array_get(images, 0);
  const json_t *constant = json_array_get(json_object_get(first, "constants"), 0);
  assert_string_equal(json_string_value(json_object_get(constant, "name")), "name");
  assert_string_equal(json_string_value(json_object_get(constant, "default")), "01020304");
  assert_string_equal(json_string_value(json_object_get(first, "compile_options")), "-compile");
  assert_int_equal(json_array_size(json_object_get(first, "properties")), 3);
  json_decref(made);
}

/* ---- The tests ---- */

TEST_WITH(a_library_registers_its_images, setup, teardown) {
  fixture *f = *state;
  const specpi_compiler_wrap_options options = {.registers = true};
  write_wrapped(f, &options, DIRECTORY "/registers.o");
  run(CC " -shared -o " DIRECTORY "/registers.so " CONSTRUCTOR " " DIRECTORY "/registers.o");
  check_inspected(DIRECTORY "/registers.o", f);
  check_inspected(DIRECTORY "/registers.so", f);
  for (int i = 0; i < 2; i++) {
    events[0] = '\0';
    registered = NULL;
    void *library = dlopen(DIRECTORY "/registers.so", RTLD_NOW);
    if (library == NULL)
      fail_msg("%s", dlerror());
    assert_string_equal(events, "register;constructor;");
    check_binaries(registered, f);
    check_read_only(registered);
    check_read_only(registered->DeviceBinaries);
    check_read_only(registered->DeviceBinaries[0].EntriesBegin);
    check_read_only(registered->DeviceBinaries[0].PropertySetsBegin);
    check_read_only(registered->DeviceBinaries[0].BinaryStart);
    assert_int_equal(dlclose(library), 0);
    assert_string_equal(events, "register;constructor;destructor;unregister;");
  }
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

/* Returns the output of a command. */
static const char *output_of(const char *command) {
  static char output[1024];
  FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c): as above */
  assert_non_null(pipe);
  output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
  assert_int_equal(pclose(pipe), 0);
  return output;
}

/* A runtime that prints the version of the first image that it registers. */
#define RUNTIME_SOURCE                                                                             \
  "#include <stdio.h>\n"                                                                           \
  "void __sycl_register_lib(void **all) { printf(\"register %u\\n\", *(unsigned short *)all[1]); " \
  "}"                                                                                              \
  "\nvoid __sycl_unregister_lib(void **all) {"                                                     \
  " printf(\"unregister %u\\n\", *(unsigned short *)all[1]); }\n"
#define MAIN_SOURCE                                                                                \
  "#include <dlfcn.h>\n#include <stdio.h>\n"                                                       \
  "int main(int argc, char **argv) { setbuf(stdout, NULL); void *it = dlopen(argv[argc - 1], "     \
  "RTLD_NOW); if (!it) return 1; return dlclose(it); }\n"

/* Each known libsycl gets images of its version; an unknown one gets none. */
TEST_WITH(each_libsycl_gets_its_version_of_images, setup, teardown) {
  static const char *const rows[][2] = {
      {"libsycl.so.7", "register 2\nunregister 2\n"},
      {"libsycl.so.8", "register 2\nunregister 2\n"},
      {"libsycl.so.9", "register 3\nunregister 3\n"},
      {"libspecpi.so.1", "register 2\nunregister 2\n"},
      {"libsycl.so.10", "newer than what compiled this program's kernels"},
  };
  fixture *f = *state;
  const specpi_compiler_wrap_options options = {.registers = true};
  write_wrapped(f, &options, DIRECTORY "/runtimes.o");
  run(CC " -shared -o " DIRECTORY "/runtimes.so " DIRECTORY "/runtimes.o");
  write_text(DIRECTORY "/runtime.c", RUNTIME_SOURCE);
  write_text(DIRECTORY "/main.c", MAIN_SOURCE);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *name = rows[i][0];
    char command[4096];
    snprintf(command, sizeof command,
             CC " -shared -fPIC -Wl,-soname,%s -o " DIRECTORY "/%s " DIRECTORY "/runtime.c && " CC
                " -o " DIRECTORY "/main " DIRECTORY "/main.c -Wl,--no-as-needed " DIRECTORY
                "/%s && "
                "LD_LIBRARY_PATH=" DIRECTORY " " DIRECTORY "/main " DIRECTORY "/runtimes.so 2>&1",
             name, name, name);
    const char *output = output_of(command);
    if (!strstr(output, rows[i][1]))
      fail_msg("%s: \"%s\"", name, output);
    assert_true(i < 4 || !strstr(output, "register "));
  }
}

TEST_WITH(a_symbol_names_the_images, setup, teardown) {
  fixture *f = *state;
  const specpi_compiler_wrap_options options = {.symbol = "wrap_test_images"};
  write_wrapped(f, &options, DIRECTORY "/symbol.o");
  run(CC " -shared -o " DIRECTORY "/symbol.so " DIRECTORY "/symbol.o");
  check_inspected(DIRECTORY "/symbol.o", f);
  check_inspected(DIRECTORY "/symbol.so", f);
  events[0] = '\0';
  void *library = dlopen(DIRECTORY "/symbol.so", RTLD_NOW);
  if (library == NULL)
    fail_msg("%s", dlerror());
  const pi_device_binaries_struct *found = dlsym(library, "wrap_test_images");
  assert_non_null(found);
  check_binaries(found, f);
  check_read_only(found);
  assert_int_equal(dlclose(library), 0);
  assert_string_equal(events, "");
}

/* The object file of a unit without kernels registers nothing. */
TEST_WITH(an_object_without_images_registers_nothing, setup, teardown) {
  const fixture *f = *state;
  const specpi_compiler_wrap_options options = {.registers = true};
  void *bytes;
  size_t size;
  assert_int_equal(specpiCompilerWrap(f->compiler, 0, f->images, &options, &bytes, &size),
                   SPECPI_COMPILER_SUCCESS);
  FILE *file = fopen(DIRECTORY "/nothing.o", "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
  run(CC " -shared -o " DIRECTORY "/nothing.so " CONSTRUCTOR " " DIRECTORY "/nothing.o");
  events[0] = '\0';
  void *library = dlopen(DIRECTORY "/nothing.so", RTLD_NOW);
  if (library == NULL)
    fail_msg("%s", dlerror());
  assert_int_equal(dlclose(library), 0);
  assert_string_equal(events, "constructor;destructor;");
}

TEST_WITH(equal_images_give_equal_bytes, setup, teardown) {
  fixture *f = *state;
  const specpi_compiler_wrap_options options = {.registers = true, .symbol = "both"};
  void *bytes[2];
  size_t sizes[2];
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(specpiCompilerWrap(f->compiler, 3, f->images, &options, &bytes[i], &sizes[i]),
                     SPECPI_COMPILER_SUCCESS);
  assert_int_equal(sizes[0], sizes[1]);
  assert_memory_equal(bytes[0], bytes[1], sizes[0]);
  free(bytes[0]);
  free(bytes[1]);
}

/* A compiler that has read a module with typed pointers can still wrap. */
TEST_WITH(wrapping_works_after_typed_pointers, setup, teardown) {
  fixture *f = *state;
  static const char text[] = "target triple = \"spir64\"\n@x = global i32* null\n";
  specpi_compiler_module typed;
  if (specpiCompilerModuleRead(f->compiler, "typed", text, sizeof text - 1, &typed) !=
      SPECPI_COMPILER_SUCCESS)
    skip(); /* this LLVM has no typed pointers */
  const specpi_compiler_wrap_options options = {.registers = true};
  void *bytes;
  size_t size;
  assert_int_equal(specpiCompilerWrap(f->compiler, 3, f->images, &options, &bytes, &size),
                   SPECPI_COMPILER_SUCCESS);
  free(bytes);
  specpiCompilerModuleRelease(typed);
}

static void refused(const fixture *f, size_t count, const specpi_compiler_image *image,
                    const specpi_compiler_wrap_options *options, specpi_compiler_result code,
                    const char *sentence) {
  void *bytes = &the_fixture;
  size_t size = 99;
  assert_int_equal(specpiCompilerWrap(f->compiler, count, image, options, &bytes, &size), code);
  assert_string_equal(specpiCompilerGetLastError(), sentence);
  assert_ptr_equal(bytes, &the_fixture);
  assert_int_equal(size, 99);
}

TEST_WITH(wrong_images_are_refused, setup, teardown) {
  const fixture *f = *state;
  static const char *const nameless[] = {"", NULL};
  static const specpi_compiler_image good = {.target = "spir64", .data = "x", .size = 1};
#define BAD(...) (&(specpi_compiler_image){.target = "spir64", .data = "x", .size = 1, __VA_ARGS__})
  static const specpi_compiler_wrap_options options = {.symbol = "images"};
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Woverride-init\"");
  refused(f, 1, BAD(.target = NULL), &options, code, "image 0 has no target");
  refused(f, 1, BAD(.target = ""), &options, code, "image 0 has no target");
  refused(f, 1, BAD(.data = NULL), &options, code, "image 0 has no bytes");
  refused(f, 1, BAD(.size = 0), &options, code, "image 0 has no bytes");
  refused(f, 1, BAD(.size = UINT32_MAX), &options, SPECPI_COMPILER_ERROR_LIMIT,
          "image 0 is too large");
  refused(f, 1, BAD(.format = (specpi_compiler_image_format)4), &options, code,
          "image 0 has the format 4, which does not exist");
  refused(f, 1, BAD(.kernel_count = 1), &options, code, "image 0 has no list of kernels");
  refused(f, 1, BAD(.kernels = nameless, .kernel_count = 1), &options, code,
          "image 0 has a kernel without a name");
  refused(f, 1, BAD(.kernels = nameless + 1, .kernel_count = 1), &options, code,
          "image 0 has a kernel without a name");
  _Pragma("GCC diagnostic pop");
  refused(f, 65536, &good, &options, SPECPI_COMPILER_ERROR_LIMIT,
          "there are 65536 images, and only 65535 can be registered together");
  refused(f, 1, NULL, &options, code, "images is NULL");
  refused(f, 1, &good, NULL, code, "options is NULL");
  refused(f, 1, &good, &(specpi_compiler_wrap_options){0}, code,
          "the object would neither register the images nor have a symbol for them");
  refused(f, 1, &good, &(specpi_compiler_wrap_options){.symbol = ""}, code,
          "the symbol '' is no identifier");
  refused(f, 1, &good, &(specpi_compiler_wrap_options){.symbol = "0a"}, code,
          "the symbol '0a' is no identifier");
  refused(f, 1, &good, &(specpi_compiler_wrap_options){.symbol = "a b"}, code,
          "the symbol 'a b' is no identifier");
  refused(f, 1, &good,
          &(specpi_compiler_wrap_options){.registers = true, .symbol = "__sycl_register_lib"}, code,
          "the symbol '__sycl_register_lib' is the name of a function that the object calls");
  void *bytes;
  size_t size;
  assert_int_equal(specpiCompilerWrap(NULL, 1, &good, &options, &bytes, &size), code);
  assert_int_equal(specpiCompilerWrap(f->compiler, 1, &good, &options, NULL, &size), code);
  assert_int_equal(specpiCompilerWrap(f->compiler, 1, &good, &options, &bytes, NULL), code);
}
