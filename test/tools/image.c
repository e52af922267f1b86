/*
 * specpiImageCreate with images made by hand: decoded facts, refused images, and failed
 * allocations.
 */
#include "../support/tests.h"
#include "../unit/memory.h"

#include <specpi/specpi.h>

#include <stdlib.h>
#include <string.h>

/* A word as little-endian bytes, and an array's length in bits as 8 bytes. */
#define W(word)                                                                                    \
  (unsigned char)(word), (unsigned char)((word) >> 8), (unsigned char)((word) >> 16),              \
      (unsigned char)((word) >> 24)
#define BITS(bits) W(bits), 0, 0, 0, 0
#define PADDING 0xffffffffu

/* An int, and a structure of a float and a char. */
static unsigned char tile[] = {BITS(96), W(0), W(0), W(4)};
static unsigned char pair[] = {BITS(288), W(1), W(0),       W(4), W(2),
                               W(4),      W(1), W(PADDING), W(5), W(3)};
static unsigned char defaults[] = {BITS(96), 7, 0, 0, 0, 0, 0, 0x80, 0x3f, 'x', 0, 0, 0};
/* 1, 8 and 9 of 10 arguments are eliminated. */
static unsigned char eliminated[] = {BITS(10), 0x02, 0x03};
static unsigned char aspects[] = {BITS(64), W(5), W(6)};

static pi_device_binary_property_struct constants[] = {
    {"tile", tile, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof tile},
    {"pair", pair, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof pair},
};
static pi_device_binary_property_struct blob[] = {
    {"all", defaults, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof defaults},
};
static pi_device_binary_property_struct parameters[] = {
    {"second", eliminated, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof eliminated},
};
static pi_device_binary_property_struct misc[] = {
    {"optLevel", NULL, PI_PROPERTY_TYPE_UINT32, 2},
    {"note", "text", PI_PROPERTY_TYPE_STRING, 5},
    {"aspects", aspects, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof aspects},
};
#define ALL_OF(table) table, table + sizeof table / sizeof table[0]
static const pi_device_binary_property_set_struct good_sets[] = {
    {PI_PROPERTY_SET_SPEC_CONST_MAP, ALL_OF(constants)},
    {PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP, ALL_OF(blob)},
    {PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, ALL_OF(parameters)},
    {PI_PROPERTY_SET_SYCL_MISC_PROP, ALL_OF(misc)},
};
enum { SETS = sizeof good_sets / sizeof good_sets[0] };

/* The parts of an image that tests change; each test makes its own. */
typedef struct world {
  unsigned char code[8];
  pi_device_binary_property_struct constants[2], blob[1], misc[3];
  pi_device_binary_property_set_struct sets[SETS];
  pi_offload_entry_struct entries[2];
  pi_device_binary_struct binary;
} world;

static void make(world *w) {
  memset(w, 0, sizeof *w);
  memcpy(w->code, "\x03\x02\x23\x07", 4);
  memcpy(w->constants, constants, sizeof constants);
  memcpy(w->blob, blob, sizeof blob);
  memcpy(w->misc, misc, sizeof misc);
  memcpy(w->sets, good_sets, sizeof good_sets);
  w->sets[0] = (pi_device_binary_property_set_struct){good_sets[0].Name, ALL_OF(w->constants)};
  w->sets[1] = (pi_device_binary_property_set_struct){good_sets[1].Name, ALL_OF(w->blob)};
  w->sets[3] = (pi_device_binary_property_set_struct){good_sets[3].Name, ALL_OF(w->misc)};
  w->entries[0].name = "first";
  w->entries[1].name = "second";
  w->binary = (pi_device_binary_struct){.Version = 2,
                                        .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                        .DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_SPIRV64,
                                        .CompileOptions = "-fast",
                                        .BinaryStart = w->code,
                                        .BinaryEnd = w->code + sizeof w->code,
                                        .EntriesBegin = w->entries,
                                        .EntriesEnd = w->entries + 2,
                                        .PropertySetsBegin = w->sets,
                                        .PropertySetsEnd = w->sets + SETS};
}

static specpi_image create(const world *w) {
  specpi_image image = NULL;
  if (specpiImageCreate(&w->binary, &image) != SPECPI_SUCCESS)
    fail_msg("%s", specpiGetLastError());
  assert_non_null(image);
  return image;
}

TEST(decodes) {
  world w;
  make(&w);
  specpi_image image = create(&w);
  assert_string_equal(specpiImageGetTarget(image), "spir64");
  assert_string_equal(specpiImageGetCompileOptions(image), "-fast");
  assert_string_equal(specpiImageGetLinkOptions(image), "");
  size_t size;
  assert_ptr_equal(specpiImageGetBytes(image, &size), w.code);
  assert_int_equal(size, sizeof w.code);

  const char *kernels[3] = {NULL, NULL, "untouched"};
  size_t count;
  assert_int_equal(specpiImageGetKernels(image, 3, kernels, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 2);
  assert_string_equal(kernels[0], "first");
  assert_string_equal(kernels[1], "second");
  assert_string_equal(kernels[2], "untouched");

  specpi_constant found[2];
  assert_int_equal(specpiImageGetConstants(image, 2, found, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 2);
  assert_string_equal(found[0].name, "tile");
  assert_int_equal(found[0].size, 4);
  assert_int_equal(found[0].leaf_count, 1);
  assert_memory_equal(found[0].default_value, "\7\0\0", 4);
  assert_string_equal(found[1].name, "pair");
  assert_int_equal(found[1].size, 8);
  assert_int_equal(found[1].leaf_count, 3);
  assert_int_equal(found[1].leaves[1].id, 2);
  assert_int_equal(found[1].leaves[1].offset, 4);
  assert_int_equal(found[1].leaves[1].size, 1);
  assert_int_equal(found[1].leaves[2].id, PI_SPEC_ID_PADDING);
  assert_memory_equal(found[1].default_value, "\0\0\x80\x3fx\0\0", 8);
  specpiImageRelease(image);
}

TEST(decodes_properties) {
  world w;
  make(&w);
  /* A string property without a NUL, and one of size 0 with address NULL. */
  specpi_property text;
  pi_device_binary_property_struct raw = {"name", "text", PI_PROPERTY_TYPE_STRING, 3};
  pi_device_binary_property_set_struct only = {PI_PROPERTY_SET_SYCL_MISC_PROP, &raw, &raw + 1};
  w.binary.PropertySetsBegin = &only;
  w.binary.PropertySetsEnd = &only + 1;
  size_t count;
  for (int i = 0; i < 2; i++) {
    specpi_image image = create(&w);
    assert_int_equal(specpiImageGetProperties(image, NULL, 1, &text, &count), SPECPI_SUCCESS);
    assert_non_null(text.bytes);
    assert_int_equal(text.size, i == 0 ? 3 : 0);
    specpiImageRelease(image);
    raw.ValAddr = NULL;
    raw.ValSize = 0;
  }

  make(&w);
  specpi_image image = create(&w);
  assert_int_equal(specpiImageGetProperties(image, NULL, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 7);
  assert_int_equal(specpiImageGetProperties(image, "no such set", 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 0);
  specpi_property found[3];
  assert_int_equal(
      specpiImageGetProperties(image, PI_PROPERTY_SET_SYCL_MISC_PROP, 3, found, &count),
      SPECPI_SUCCESS);
  assert_int_equal(count, 3);
  assert_string_equal(found[0].name, "optLevel");
  assert_int_equal(found[0].type, PI_PROPERTY_TYPE_UINT32);
  assert_int_equal(found[0].number, 2);
  assert_null(found[0].bytes);
  assert_int_equal(found[1].type, PI_PROPERTY_TYPE_STRING);
  assert_int_equal(found[1].size, 4);
  assert_memory_equal(found[1].bytes, "text", 4);
  assert_int_equal(found[2].type, PI_PROPERTY_TYPE_BYTE_ARRAY);
  assert_int_equal(found[2].size, 8);
  assert_int_equal(found[2].bits, 64);
  assert_int_equal(found[2].number, 0);
  assert_ptr_equal(found[2].bytes, aspects + 8);

  for (size_t i = 0; i < 12; i++)
    assert_int_equal(specpiImageIsArgumentEliminated(image, "second", i),
                     i == 1 || i == 8 || i == 9);
  assert_false(specpiImageIsArgumentEliminated(image, "first", 1));
  assert_false(specpiImageIsArgumentEliminated(image, NULL, 1));
  assert_false(specpiImageIsArgumentEliminated(NULL, "second", 1));
  specpiImageRelease(image);
}

/* If code reads constants from a buffer, padding after a constant is not part of it. */
TEST(decodes_emulated) {
  static unsigned char half[] = {BITS(192), W(0), W(0), W(2), W(PADDING), W(2), W(2)};
  static unsigned char whole[] = {BITS(96), W(1), W(0), W(4)};
  static unsigned char values[] = {BITS(64), 1, 2, 0, 0, 3, 4, 5, 6};
  world w;
  make(&w);
  w.constants[0].ValAddr = half;
  w.constants[0].ValSize = sizeof half;
  w.constants[1].ValAddr = whole;
  w.constants[1].ValSize = sizeof whole;
  w.blob[0].ValAddr = values;
  w.blob[0].ValSize = sizeof values;
  static const struct {
    const char *target;
    size_t size;
  } cases[] = {{"nvptx64", 2}, {"spir64_x86_64", 2}, {"spir64", 4}, {"spir", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    w.binary.DeviceTargetSpec = cases[i].target;
    specpi_image image = create(&w);
    specpi_constant found[2];
    size_t count;
    assert_int_equal(specpiImageGetConstants(image, 2, found, &count), SPECPI_SUCCESS);
    assert_int_equal(found[0].size, cases[i].size);
    assert_memory_equal(found[0].default_value, "\1\2", 2);
    assert_int_equal(found[1].size, 4);
    assert_memory_equal(found[1].default_value, "\3\4\5\6", 4);
    specpiImageRelease(image);
  }
}

TEST(is_content_without_much) {
  const pi_device_binary_struct binary = {
      .Version = 1, .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL, .DeviceTargetSpec = "spir64"};
  specpi_image image;
  assert_int_equal(specpiImageCreate(&binary, &image), SPECPI_SUCCESS);
  size_t count = 99;
  assert_null(specpiImageGetBytes(image, &count));
  assert_int_equal(count, 0);
  assert_int_equal(specpiImageGetConstants(image, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 0);
  assert_string_equal(specpiImageGetFormatName(image), "unknown");
  specpiImageRelease(image);
  specpiImageRelease(NULL);

  /* The constants have no defaults. */
  world w;
  make(&w);
  w.sets[1] = w.sets[0];
  w.binary.PropertySetsBegin = w.sets + 1;
  image = create(&w);
  specpi_constant found[2];
  assert_int_equal(specpiImageGetConstants(image, 2, found, &count), SPECPI_SUCCESS);
  assert_int_equal(found[1].size, 8);
  assert_null(found[1].default_value);
  specpiImageRelease(image);
}

TEST(tells_the_format) {
  static const struct {
    const char *bytes;
    size_t size;
    int field;
    pi_device_binary_type format;
    const char *name;
  } cases[] = {
      {"\x03\x02\x23\x07", 4, 0, PI_DEVICE_BINARY_TYPE_SPIRV, "SPIR-V"},
      {"\x03\x02\x23", 3, 0, PI_DEVICE_BINARY_TYPE_NONE, "unknown"},
      {"BC\xc0\xde", 4, 0, PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE, "LLVM bitcode"},
      {"INTC", 4, 0, PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE, "LLVM bitcode"},
      {"!<arch>\n", 8, 0, PI_DEVICE_BINARY_TYPE_NATIVE, "native"},
      {"\177ELF............\x04\xff", 18, 0, PI_DEVICE_BINARY_TYPE_NATIVE, "native"},
      {"\177ELF............\x12\xff", 18, 0, PI_DEVICE_BINARY_TYPE_NATIVE, "native"},
      {"\177ELF............\x02\x00", 18, 0, PI_DEVICE_BINARY_TYPE_NONE, "unknown"},
      {"\177ELF............\x02\x00\0.ze\0.ze_info", 32, 0, PI_DEVICE_BINARY_TYPE_NATIVE, "native"},
      {"\177ELF............\x02\x00\0.ze\0.ze_inf", 30, 0, PI_DEVICE_BINARY_TYPE_NONE, "unknown"},
      {"\177ELF............\x12", 17, 0, PI_DEVICE_BINARY_TYPE_NONE, "unknown"},
      {".version 7.0", 12, 0, PI_DEVICE_BINARY_TYPE_NONE, "unknown"},
      {".version 7.0", 12, 1, PI_DEVICE_BINARY_TYPE_NATIVE, "native"},
      {".version 7.0", 12, 2, PI_DEVICE_BINARY_TYPE_SPIRV, "SPIR-V"},
      {"\x03\x02\x23\x07", 4, 3, PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE, "LLVM bitcode"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    /* An allocation of exactly that size, so that AddressSanitizer finds reads past the end. */
    unsigned char *code = malloc(cases[i].size);
    assert_non_null(code);
    memcpy(code, cases[i].bytes, cases[i].size);
    world w;
    make(&w);
    w.binary.Format = (uint8_t)cases[i].field;
    w.binary.BinaryStart = code;
    w.binary.BinaryEnd = code + cases[i].size;
    specpi_image image = create(&w);
    assert_int_equal(specpiImageGetFormat(image), cases[i].format);
    assert_string_equal(specpiImageGetFormatName(image), cases[i].name);
    specpiImageRelease(image);
    free(code);
  }
  assert_int_equal(specpiImageGetFormat(NULL), PI_DEVICE_BINARY_TYPE_NONE);
  assert_null(specpiImageGetFormatName(NULL));
}

#define REFUSES(w, sentence)                                                                       \
  do {                                                                                             \
    specpi_image refused_image = NULL;                                                             \
    assert_int_equal(specpiImageCreate(&(w).binary, &refused_image), SPECPI_ERROR_INVALID_IMAGE);  \
    assert_null(refused_image);                                                                    \
    assert_string_equal(specpiGetLastError(), (sentence));                                         \
  } while (0)

/* SPOILED(change, message): asserts that a good image with this change is refused. */
#define SPOILED(change, sentence)                                                                  \
  do {                                                                                             \
    world w;                                                                                       \
    make(&w);                                                                                      \
    change;                                                                                        \
    REFUSES(w, sentence);                                                                          \
  } while (0)

TEST(refuses_bad_frames) {
  SPOILED(w.binary.Version = 0, "the image has version 0, not 1 to 2");
  SPOILED(w.binary.Version = 3, "the image has version 3, not 1 to 2");
  SPOILED(w.binary.Kind = 1, "the image is for offload kind 1, not 4 (SYCL)");
  SPOILED(w.binary.Format = 4, "the image has the unknown format 4");
  SPOILED(w.binary.DeviceTargetSpec = NULL, "the image has no target");
  SPOILED(w.binary.BinaryEnd = NULL, "the image's code has a start but no end");
  SPOILED(w.binary.BinaryStart = NULL, "the image's code has an end but no begin");
  SPOILED(w.binary.BinaryEnd = w.code;
          w.binary.BinaryStart = w.code + 8, "the image's code ends before it begins");
  SPOILED(w.entries[1].name = NULL, "kernel number 1 has no name");
  SPOILED(w.binary.EntriesEnd = (pi_offload_entry)(void *)((char *)w.entries + 40),
          "the table of kernels has 40 bytes, which are not whole elements of 32 bytes");
  SPOILED(w.binary.PropertySetsEnd = NULL, "the table of property sets has a start but no end");
  SPOILED(w.sets[3].Name = NULL, "property set number 3 has no name");
  SPOILED(w.sets[3].PropertiesEnd = w.misc;
          w.sets[3].PropertiesBegin = w.misc + 1, "SYCL/misc properties ends before it begins");
}

TEST(refuses_bad_properties) {
  static unsigned char short_array[] = {BITS(72), 1, 2, 3, 4, 5, 6, 7, 8};
  SPOILED(w.misc[1].Name = NULL, "a property of set \"SYCL/misc properties\" has no name");
  SPOILED(w.misc[0].Type = 7,
          "property \"optLevel\" of set \"SYCL/misc properties\" has the unknown type 7");
  SPOILED(w.misc[0].Type = 0,
          "property \"optLevel\" of set \"SYCL/misc properties\" has the unknown type 0");
  SPOILED(w.misc[2].ValAddr = NULL,
          "property \"aspects\" of set \"SYCL/misc properties\" has a size of 16 and no value");
  SPOILED(w.misc[2].ValSize = 7, "property \"aspects\" of set \"SYCL/misc properties\" is a byte "
                                 "array of 7 bytes, which do not hold its length");
  SPOILED(w.misc[2].ValAddr = short_array,
          "property \"aspects\" of set \"SYCL/misc properties\" has 8 bytes for 72 bits");
}

TEST(refuses_bad_constants) {
  static unsigned char overlap[] = {BITS(192), W(0), W(0), W(4), W(1), W(3), W(4)};
  static unsigned char odd[] = {BITS(104), W(0), W(0), W(4), 0};
  static unsigned char huge[] = {BITS(96), W(0), W(0xffffffffu), W(0xffffffffu)};
  static unsigned char more[] = {BITS(104), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  static unsigned char fewer[] = {BITS(88), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  SPOILED(w.constants[0].ValAddr = overlap;
          w.constants[0].ValSize = sizeof overlap,
          "constant \"tile\": entry 1 begins at byte 3, and the one before it ends at 4");
  SPOILED(w.constants[0].ValAddr = odd;
          w.constants[0].ValSize = sizeof odd,
          "the record of constant \"tile\" has type 2 and 13 bytes, not "
          "a multiple of 12 in a byte array");
  SPOILED(w.constants[0].Type = PI_PROPERTY_TYPE_UINT32,
          "the record of constant \"tile\" has type 1 and 0 bytes, not a multiple of 12 in a byte "
          "array");
  SPOILED(w.constants[0].ValAddr = huge, "the defaults have 12 bytes, and the one of constant "
                                         "\"tile\" goes from byte 0 to 8589934590");
  SPOILED(w.constants[0].ValAddr = huge;
          w.sets[1] = w.sets[2],
          "the constants have no defaults, and \"tile\" goes from byte 0 to 8589934590, more than "
          "67108864");
  SPOILED(w.blob[0].ValAddr = more; w.blob[0].ValSize = sizeof more,
                                    "the defaults have 13 bytes, and all constants together 12");
  SPOILED(w.blob[0].ValAddr = fewer;
          w.blob[0].ValSize = sizeof fewer,
          "the defaults have 11 bytes, and the one of constant \"pair\" goes "
          "from byte 4 to 12");
  SPOILED(w.blob[0].Name = "some", "the defaults of the constants have a property \"some\" of "
                                   "type 2, where only the byte array \"all\" may be");
  SPOILED(w.sets[2] = w.sets[1], "the defaults of the constants are there twice");
}

TEST(refuses_null) {
  world w;
  make(&w);
  specpi_image image = NULL;
  size_t count = 99;
  const char *const sentence = specpiGetLastError();
#define REFUSES_ARGUMENT(call, expected)                                                           \
  assert_int_equal((call), SPECPI_ERROR_INVALID_ARGUMENT);                                         \
  assert_string_equal(sentence, (expected))
  REFUSES_ARGUMENT(specpiImageCreate(NULL, &image), "binary is NULL");
  REFUSES_ARGUMENT(specpiImageCreate(&w.binary, NULL), "image is NULL");
  assert_null(image);
  image = create(&w);
  REFUSES_ARGUMENT(specpiImageGetKernels(NULL, 0, NULL, &count), "image is NULL");
  REFUSES_ARGUMENT(specpiImageGetKernels(image, 0, NULL, NULL), "count is NULL");
  REFUSES_ARGUMENT(specpiImageGetKernels(image, 1, NULL, &count),
                   "kernels is NULL and capacity is 1");
  REFUSES_ARGUMENT(specpiImageGetConstants(NULL, 0, NULL, &count), "image is NULL");
  REFUSES_ARGUMENT(specpiImageGetConstants(image, 0, NULL, NULL), "count is NULL");
  REFUSES_ARGUMENT(specpiImageGetConstants(image, 1, NULL, &count),
                   "constants is NULL and capacity is 1");
  REFUSES_ARGUMENT(specpiImageGetProperties(NULL, NULL, 0, NULL, &count), "image is NULL");
  REFUSES_ARGUMENT(specpiImageGetProperties(image, NULL, 0, NULL, NULL), "count is NULL");
  REFUSES_ARGUMENT(specpiImageGetProperties(image, NULL, 1, NULL, &count),
                   "properties is NULL and capacity is 1");
#undef REFUSES_ARGUMENT
  assert_int_equal(count, 99);
  assert_null(specpiImageGetTarget(NULL));
  assert_null(specpiImageGetCompileOptions(NULL));
  assert_null(specpiImageGetLinkOptions(NULL));
  assert_null(specpiImageGetBytes(NULL, NULL));
  specpiImageRelease(image);
}

TEST(survives_without_memory) {
  world w;
  make(&w);
  long n = 0;
  for (;; n++) {
    specpi_image image = NULL;
    memory_watch(n);
    const specpi_result result = specpiImageCreate(&w.binary, &image);
    memory_use use = memory_unwatch();
    if (result == SPECPI_SUCCESS) {
      assert_false(use.failed);
      memory_watch(MEMORY_NEVER);
      specpiImageRelease(image);
      assert_int_equal(memory_unwatch().held, -use.held);
      break;
    }
    assert_int_equal(result, SPECPI_ERROR_OUT_OF_MEMORY);
    assert_true(use.failed);
    assert_int_equal(use.held, 0);
    assert_null(image);
  }
  assert_int_equal(n, 4);
}
