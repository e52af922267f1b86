#include "image.h"

#include "error.h"
#include "property_set.h"
#include "signature.h"

#include <stdlib.h>
#include <string.h>

/* The newest version that is accepted; compilers of 2024.2 write it. */
enum { NEWEST_VERSION = 2 };

static bool begins_with(const unsigned char *bytes, size_t size, const void *with, size_t length) {
  return size >= length && memcmp(bytes, with, length) == 0;
}

/* Returns whether an ELF file is device code: by its type, or a section of Intel's GPU compiler. */
static bool is_native_elf(const unsigned char *bytes, size_t size) {
  enum { TYPE_AT = 16, INTEL_OPENCL = 0xff04, INTEL_ZEBIN = 0xff12 };
  if (!begins_with(bytes, size, "\177ELF", 4) || size < TYPE_AT + 2)
    return false;
  const unsigned type = (unsigned)(bytes[TYPE_AT] | bytes[TYPE_AT + 1] << 8);
  if (type == INTEL_OPENCL || type == INTEL_ZEBIN)
    return true;
  /* Search for the name in the table of section names, in which a NUL ends each name. */
  static const char mark[] = "\0.ze_info";
  for (size_t i = TYPE_AT; i + sizeof mark <= size; i++) {
    const unsigned char *zero = memchr(bytes + i, 0, size - sizeof mark - i + 1);
    if (!zero)
      return false;
    i = (size_t)(zero - bytes);
    if (memcmp(zero, mark, sizeof mark) == 0)
      return true;
  }
  return false;
}

static pi_device_binary_type format_of(const unsigned char *bytes, size_t size) {
  if (begins_with(bytes, size, "\x03\x02\x23\x07", 4))
    return PI_DEVICE_BINARY_TYPE_SPIRV;
  if (begins_with(bytes, size, "BC\xc0\xde", 4) || begins_with(bytes, size, "INTC", 4))
    return PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE;
  if (begins_with(bytes, size, "!<arch>\n", 8) || is_native_elf(bytes, size))
    return PI_DEVICE_BINARY_TYPE_NATIVE;
  return PI_DEVICE_BINARY_TYPE_NONE;
}

/* Checks the members of the structure themselves, and the kernels' names. */
static specpi_result check_frame(const pi_device_binary_struct *binary) {
  IMAGE_REQUIRE(binary->Version >= 1 && binary->Version <= NEWEST_VERSION,
                "the image has version %d, not 1 to %d", binary->Version, NEWEST_VERSION);
  IMAGE_REQUIRE(binary->Kind == PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                "the image is for offload kind %d, not %d (SYCL)", binary->Kind,
                PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL);
  IMAGE_REQUIRE(binary->Format <= PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE,
                "the image has the unknown format %d", binary->Format);
  IMAGE_REQUIRE(binary->DeviceTargetSpec, "the image has no target");
  size_t size;
  ERROR_TRY(table_length(binary->BinaryStart, binary->BinaryEnd, 1, "the image's code", &size));
  size_t kernels;
  ERROR_TRY(table_length(binary->EntriesBegin, binary->EntriesEnd, sizeof(pi_offload_entry_struct),
                         "the table of kernels", &kernels));
  for (size_t i = 0; i < kernels; i++)
    IMAGE_REQUIRE(binary->EntriesBegin[i].name, "kernel number %zu has no name", i);
  return SPECPI_SUCCESS;
}

/* Fills in an image from its binary. On failure the caller releases what was allocated. */
static specpi_result decode_image(struct specpi_image_object *image) {
  const pi_device_binary_struct *binary = image->binary;
  ERROR_TRY(check_frame(binary));
  image->format = (pi_device_binary_type)binary->Format;
  if (image->format == PI_DEVICE_BINARY_TYPE_NONE)
    image->format =
        format_of(binary->BinaryStart, (size_t)(binary->BinaryEnd - binary->BinaryStart));
  ERROR_TRY(property_sets_decode(binary->PropertySetsBegin, binary->PropertySetsEnd,
                                 &image->properties, &image->property_count));
  return image_decode_constants(image);
}

specpi_result specpiImageCreate(const pi_device_binary_struct *binary, specpi_image *image) {
  ERROR_REQUIRE(binary, "binary is NULL");
  ERROR_REQUIRE(image, "image is NULL");
  struct specpi_image_object *result = calloc(1, sizeof *result);
  if (!result)
    return error_memory();
  result->binary = binary;
  references_init(&result->references);
  const specpi_result code = decode_image(result);
  if (code != SPECPI_SUCCESS) {
    specpiImageRelease(result);
    return code;
  }
  *image = result;
  return SPECPI_SUCCESS;
}

void specpiImageRelease(specpi_image image) {
  if (!image || !references_drop(&((struct specpi_image_object *)image)->references))
    return;
  /* A copy has no copy of its own, so this recursion is one level deep. */
  specpiImageRelease(image->copy);
  signatures_free(image->signatures);
  free(image->memory);
  free(image->properties);
  free(image->constants);
  free(image->leaves);
  free((void *)image);
}

const char *specpiImageGetTarget(specpi_image image) {
  return image ? image->binary->DeviceTargetSpec : NULL;
}

static const char *text_or_empty(const char *text) {
  return text ? text : "";
}

const char *specpiImageGetCompileOptions(specpi_image image) {
  return image ? text_or_empty(image->binary->CompileOptions) : NULL;
}

const char *specpiImageGetLinkOptions(specpi_image image) {
  return image ? text_or_empty(image->binary->LinkOptions) : NULL;
}

pi_device_binary_type specpiImageGetFormat(specpi_image image) {
  return image ? image->format : PI_DEVICE_BINARY_TYPE_NONE;
}

const char *specpiImageGetFormatName(specpi_image image) {
  static const char *const names[] = {
      [PI_DEVICE_BINARY_TYPE_NONE] = "unknown",
      [PI_DEVICE_BINARY_TYPE_NATIVE] = "native",
      [PI_DEVICE_BINARY_TYPE_SPIRV] = "SPIR-V",
      [PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE] = "LLVM bitcode",
  };
  return image ? names[image->format] : NULL;
}

const void *specpiImageGetBytes(specpi_image image, size_t *size) {
  if (size)
    *size = image ? (size_t)(image->binary->BinaryEnd - image->binary->BinaryStart) : 0;
  return image ? image->binary->BinaryStart : NULL;
}

specpi_result specpiImageGetKernels(specpi_image image, size_t capacity, const char **kernels,
                                    size_t *count) {
  ERROR_REQUIRE(image, "image is NULL");
  ERROR_REQUIRE_LIST(kernels, capacity, count);
  const size_t total = (size_t)(image->binary->EntriesEnd - image->binary->EntriesBegin);
  for (size_t i = 0; i < total && i < capacity; i++)
    kernels[i] = image->binary->EntriesBegin[i].name;
  *count = total;
  return SPECPI_SUCCESS;
}

specpi_result specpiImageGetConstants(specpi_image image, size_t capacity,
                                      specpi_constant *constants, size_t *count) {
  ERROR_REQUIRE(image, "image is NULL");
  ERROR_REQUIRE_LIST(constants, capacity, count);
  for (size_t i = 0; i < image->constant_count && i < capacity; i++)
    constants[i] = image->constants[i];
  *count = image->constant_count;
  return SPECPI_SUCCESS;
}

specpi_result specpiImageGetProperties(specpi_image image, const char *set, size_t capacity,
                                       specpi_property *properties, size_t *count) {
  ERROR_REQUIRE(image, "image is NULL");
  ERROR_REQUIRE_LIST(properties, capacity, count);
  size_t total = 0;
  for (size_t i = 0; i < image->property_count; i++) {
    if (set && strcmp(set, image->properties[i].set) != 0)
      continue;
    if (total < capacity)
      properties[total] = image->properties[i];
    total++;
  }
  *count = total;
  return SPECPI_SUCCESS;
}

size_t image_next_property(specpi_image image, const char *set, size_t from) {
  while (from < image->property_count && strcmp(image->properties[from].set, set) != 0)
    from++;
  return from;
}

bool specpiImageIsArgumentEliminated(specpi_image image, const char *kernel, size_t index) {
  if (!image || !kernel)
    return false;
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *one = &image->properties[i];
    if (strcmp(one->set, PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO) == 0 &&
        strcmp(one->name, kernel) == 0 && one->type == PI_PROPERTY_TYPE_BYTE_ARRAY)
      return index < one->bits &&
             (((const unsigned char *)one->bytes)[index / 8] >> (index % 8) & 1) != 0;
  }
  return false;
}
