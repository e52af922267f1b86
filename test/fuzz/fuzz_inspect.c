/*
 * Reads any bytes as an ELF file, and everything that the device images in it describe. Checks the
 * promises in the reader's header, and reads every byte that an image returns.
 */
#include "fuzz.h"

#include "../../runtime/image_file.h"
#include "../../runtime/scalar_types.h"

#include <string.h>

/* Keeps compilers from leaving out the reads. */
static volatile unsigned sum;

static void read_all(const void *bytes, size_t size) {
  unsigned total = 0;
  for (size_t i = 0; i < size; i++)
    total += ((const unsigned char *)bytes)[i];
  sum += total;
}

static void *new_list(size_t count, size_t size) {
  void *list = calloc(count ? count : 1, size);
  FUZZ_CHECK(list);
  return list;
}

static void check_constants(specpi_image image) {
  size_t count;
  FUZZ_CHECK(specpiImageGetConstants(image, 0, NULL, &count) == SPECPI_SUCCESS);
  specpi_constant *constants = new_list(count, sizeof *constants);
  FUZZ_CHECK(specpiImageGetConstants(image, count, constants, &count) == SPECPI_SUCCESS);
  size_t size;
  const void *module = specpiImageGetBytes(image, &size);
  scalar_types *types = scalar_types_read(module, size);
  FUZZ_CHECK(types);
  for (size_t i = 0; i < count; i++) {
    FUZZ_CHECK(constants[i].leaf_count > 0);
    read_all(constants[i].name, strlen(constants[i].name) + 1);
    uint64_t end = 0;
    for (size_t leaf = 0; leaf < constants[i].leaf_count; leaf++) {
      const specpi_leaf *one = &constants[i].leaves[leaf];
      FUZZ_CHECK(one->offset >= end);
      end = (uint64_t)one->offset + one->size;
      FUZZ_CHECK(one->id == PI_SPEC_ID_PADDING || end <= constants[i].size);
      const char *type = scalar_types_find(types, one->id);
      FUZZ_CHECK(!type || *type);
    }
    if (constants[i].default_value)
      read_all(constants[i].default_value, constants[i].size);
  }
  scalar_types_free(types);
  free(constants);
}

static void check_properties(specpi_image image) {
  enum { ASKED = 16 };
  size_t count;
  FUZZ_CHECK(specpiImageGetProperties(image, NULL, 0, NULL, &count) == SPECPI_SUCCESS);
  specpi_property *properties = new_list(count, sizeof *properties);
  FUZZ_CHECK(specpiImageGetProperties(image, NULL, count, properties, &count) == SPECPI_SUCCESS);
  for (size_t i = 0; i < count; i++) {
    read_all(properties[i].set, strlen(properties[i].set) + 1);
    read_all(properties[i].name, strlen(properties[i].name) + 1);
    read_all(properties[i].bytes, properties[i].size);
    if (properties[i].type == PI_PROPERTY_TYPE_BYTE_ARRAY)
      FUZZ_CHECK((properties[i].bits + 7) / 8 == properties[i].size);
    /* Each call goes through all properties, so it is called for the first ones only. */
    if (i < ASKED)
      sum += specpiImageIsArgumentEliminated(image, properties[i].name, (size_t)properties[i].bits);
  }
  free(properties);
}

static void check_image(specpi_image image) {
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  read_all(bytes, size);
  const char *const texts[] = {specpiImageGetTarget(image), specpiImageGetCompileOptions(image),
                               specpiImageGetLinkOptions(image), specpiImageGetFormatName(image)};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    read_all(texts[i], strlen(texts[i]) + 1);
  size_t count;
  FUZZ_CHECK(specpiImageGetKernels(image, 0, NULL, &count) == SPECPI_SUCCESS);
  const char **kernels = new_list(count, sizeof *kernels);
  FUZZ_CHECK(specpiImageGetKernels(image, count, kernels, &count) == SPECPI_SUCCESS);
  for (size_t i = 0; i < count; i++)
    read_all(kernels[i], strlen(kernels[i]) + 1);
  free(kernels);
  check_constants(image);
  check_properties(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* A copy in a block of exactly that size, because the reader may change the bytes. */
  unsigned char *bytes = malloc(size ? size : 1);
  FUZZ_CHECK(bytes);
  if (size)
    memcpy(bytes, data, size);
  image_file file;
  elf_reason reason = {""};
  if (!image_file_open_bytes(&file, bytes, size, &reason)) {
    FUZZ_CHECK(*reason.text);
    return 0;
  }
  FUZZ_CHECK(file.described <= size);
  FUZZ_CHECK(file.code / IMAGE_FILE_SHARED <= size && file.looks <= size);
  for (size_t i = 0; i < file.count; i++) {
    image_copy copy;
    if (!image_file_load(&file, i, &copy, &reason)) {
      fprintf(stderr, "image %zu, which was checked: %s\n", i, reason.text);
      abort();
    }
    FUZZ_CHECK(file.versions[i] != 0 && file.versions[i] < 16);
    check_image(copy.image);
    image_copy_release(&copy);
  }
  image_file_close(&file);
  return 0;
}
