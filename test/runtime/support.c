#include "support.h"

#include "../support/embed.h"

#include <stdlib.h>

SPECPI_EMBED(report, "report.spv")
SPECPI_EMBED(from_buffer, "from_buffer.spv")
SPECPI_EMBED(report_ptx, "report.ptx")
SPECPI_EMBED(from_buffer_ptx, "from_buffer.ptx")

void support_must(specpi_result result, const char *call, const char *file, int line) {
  if (result == SPECPI_SUCCESS)
    return;
  fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, call, specpiResultGetName(result),
          specpiGetLastError());
  _fail(file, line);
}

void support_error(specpi_result result, specpi_result code, const char *part, const char *call,
                   const char *file, int line) {
  if (result == code && strstr(specpiGetLastError(), part))
    return;
  fprintf(stderr, "%s:%d: %s: %s, expected %s: \"%s\", expected \"..%s..\"\n", file, line, call,
          specpiResultGetName(result), specpiResultGetName(code), specpiGetLastError(), part);
  _fail(file, line);
}

specpi_device support_device(void) {
  specpi_device device = NULL;
  size_t count;
  must(specpiDevicesGet(NULL, 1, &device, &count));
  if (count == 0)
    fail_msg("there is no device");
  return device;
}

/* Returns whether ONEAPI_DEVICE_SELECTOR names the backend. Tests need this before they get a
 * device. */
static bool is_selected(const char *backend) {
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR");
  return selector && strncmp(selector, backend, strlen(backend)) == 0;
}

bool support_is_cuda(void) {
  return is_selected("cuda:");
}

bool support_is_level_zero(void) {
  return is_selected("level_zero:");
}

const char *support_native_target(void) {
  return support_is_level_zero() ? PI_DEVICE_BINARY_TARGET_SPIRV64_GEN
                                 : PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64;
}

/* ---- Device images ---- */

void image_begin(test_image *image, const char *target, const void *code, size_t size) {
  memset(image, 0, sizeof *image);
  const unsigned char *begin = code;
  image->binary = (pi_device_binary_struct){.Version = 2,
                                            .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                            .DeviceTargetSpec = target,
                                            .CompileOptions = "",
                                            .LinkOptions = "",
                                            .BinaryStart = begin,
                                            .BinaryEnd = begin + size,
                                            .EntriesBegin = image->entries,
                                            .EntriesEnd = image->entries,
                                            .PropertySetsBegin = image->sets,
                                            .PropertySetsEnd = image->sets};
}

void image_add_kernel(test_image *image, const char *name) {
  assert_true(image->binary.EntriesEnd < image->entries + SUPPORT_KERNELS);
  /* PI's member is not const, but nobody writes to it. */
  (image->binary.EntriesEnd++)->name = (char *)(uintptr_t)name;
}

pi_device_binary_property_set_struct *image_add_set(test_image *image, const char *set) {
  pi_device_binary_property_set_struct *one = image->sets;
  for (; one != image->binary.PropertySetsEnd; one++)
    if (strcmp(one->Name, set) == 0)
      return one;
  const size_t number = (size_t)(one - image->sets);
  assert_true(number < SUPPORT_SETS);
  image->binary.PropertySetsEnd++;
  *one = (pi_device_binary_property_set_struct){(char *)(uintptr_t)set, image->properties[number],
                                                image->properties[number]};
  return one;
}

static pi_device_binary_property_struct *add_property(test_image *image, const char *set,
                                                      const char *name) {
  pi_device_binary_property_set_struct *to = image_add_set(image, set);
  assert_true(to->PropertiesEnd - to->PropertiesBegin < SUPPORT_PROPERTIES);
  to->PropertiesEnd->Name = (char *)(uintptr_t)name;
  return to->PropertiesEnd++;
}

void image_add_number(test_image *image, const char *set, const char *name, uint32_t number) {
  pi_device_binary_property_struct *to = add_property(image, set, name);
  to->Type = PI_PROPERTY_TYPE_UINT32;
  to->ValSize = number;
}

/* Reserves space for a byte array and writes the array's length in bits; the array is 8 bytes after
 * the returned address. */
static unsigned char *take_bytes(test_image *image, size_t size) {
  assert_true(image->byte_count + 8 + size <= SUPPORT_BYTES);
  unsigned char *place = image->bytes + image->byte_count;
  for (size_t i = 0; i < 8; i++)
    place[i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  image->byte_count += 8 + size;
  return place;
}

void image_add_bytes(test_image *image, const char *set, const char *name, const void *bytes,
                     size_t size) {
  pi_device_binary_property_struct *to = add_property(image, set, name);
  unsigned char *place = take_bytes(image, size);
  if (size)
    memcpy(place + 8, bytes, size);
  to->Type = PI_PROPERTY_TYPE_BYTE_ARRAY;
  to->ValAddr = place;
  to->ValSize = 8 + size;
}

void image_add_constant(test_image *image, const char *name, size_t count,
                        const specpi_leaf *leaves) {
  unsigned char record[SUPPORT_BYTES];
  assert_true(count * 12 <= sizeof record);
  for (size_t i = 0; i < count * 3; i++) {
    const uint32_t word = i % 3 == 0   ? leaves[i / 3].id
                          : i % 3 == 1 ? leaves[i / 3].offset
                                       : leaves[i / 3].size;
    for (size_t b = 0; b < 4; b++)
      record[4 * i + b] = (unsigned char)(word >> 8 * b);
  }
  image_add_bytes(image, PI_PROPERTY_SET_SPEC_CONST_MAP, name, record, count * 12);
}

void image_add_defaults(test_image *image, const void *bytes, size_t size) {
  image_add_bytes(image, PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP, "all", bytes, size);
}

const unsigned char report_defaults[REPORT_DEFAULTS] = {
    7,    0,    0,    0,                                              /* tile */
    0,    0,    0,    0x3f, 'x',  0,    0,    0,                      /* pair */
    0,    0,    0x80, 0x3f, 0,    0,    0,    0x40, 0, 0, 0x40, 0x40, /* point */
    0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,                   /* big */
};

void image_report(test_image *image) {
  const specpi_leaf tile[] = {{0, 0, 4}};
  const specpi_leaf pair[] = {{1, 0, 4}, {2, 4, 1}, {PI_SPEC_ID_PADDING, 5, 3}};
  const specpi_leaf point[] = {{3, 0, 4}, {4, 4, 4}, {5, 8, 4}};
  const specpi_leaf big[] = {{6, 0, 8}};
  if (support_is_cuda())
    image_begin(image, PI_DEVICE_BINARY_TARGET_NVPTX64, report_ptx_begin,
                SPECPI_EMBED_SIZE(report_ptx));
  else
    image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, report_begin, SPECPI_EMBED_SIZE(report));
  image_add_kernel(image, "report");
  image_add_constant(image, "tile", 1, tile);
  image_add_constant(image, "pair", 3, pair);
  image_add_constant(image, "point", 3, point);
  image_add_constant(image, "big", 1, big);
  image_add_defaults(image, report_defaults, sizeof report_defaults);
}

void image_buffer(test_image *image) {
  const unsigned char defaults[] = {7, 0, 0, 0, 0,    0,    0,    0x3f, 'x',  0,    0,    0,
                                    0, 0, 0, 0, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const specpi_leaf tile[] = {{0, 0, 4}};
  const specpi_leaf pair[] = {{1, 0, 8}, {PI_SPEC_ID_PADDING, 8, 4}};
  const specpi_leaf big[] = {{2, 0, 8}};
  if (support_is_cuda())
    image_begin(image, PI_DEVICE_BINARY_TARGET_NVPTX64, from_buffer_ptx_begin,
                SPECPI_EMBED_SIZE(from_buffer_ptx));
  else
    image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, from_buffer_begin,
                SPECPI_EMBED_SIZE(from_buffer));
  image_add_kernel(image, "from_buffer");
  image_add_constant(image, "tile", 1, tile);
  image_add_constant(image, "pair", 2, pair);
  image_add_constant(image, "big", 1, big);
  image_add_defaults(image, defaults, sizeof defaults);
  image_add_number(image, "specpi/buffer arguments", "from_buffer", 1);
}

specpi_image support_image(const test_image *image) {
  specpi_image made = NULL;
  must(specpiImageCreate(&image->binary, &made));
  return made;
}

specpi_bundle support_bundle(size_t count, const test_image *const *images) {
  enum { MOST = 4 };
  specpi_image made[MOST];
  specpi_bundle bundle = NULL;
  assert_true(count <= MOST);
  for (size_t i = 0; i < count; i++)
    made[i] = support_image(images[i]);
  must(specpiBundleCreate(support_device(), count, made, &bundle));
  for (size_t i = 0; i < count; i++)
    specpiImageRelease(made[i]);
  return bundle;
}

/* ---- Launches ---- */

static void must_pi(pi_result result, const char *what) {
  if (result != PI_SUCCESS)
    fail_msg("%s: %d", what, (int)result);
}

void support_run(specpi_bundle executable, const char *kernel_name, int64_t *values, size_t count) {
  bundle_kernel found = {0};
  must(bundle_get_kernel(executable, kernel_name, &found));
  const specpi_device device = specpiBundleGetDevice(executable);
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_context context;
  must(specpiDeviceGetContext(device, &context));
  const pi_queue_properties properties[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_queue queue = NULL;
  pi_mem memory = NULL;
  pi_kernel kernel = NULL;
  const size_t size = count * sizeof *values;
  const size_t one = 1;
  memset(values, 0xa5, size);
  must_pi(pi->piextQueueCreate(context, specpiDeviceGetHandle(device),
                               (pi_queue_properties *)(uintptr_t)properties, &queue),
          "piextQueueCreate");
  must_pi(pi->piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, size, NULL, &memory, NULL),
          "piMemBufferCreate");
  must_pi(pi->piKernelCreate(found.program->handle, kernel_name, &kernel), "piKernelCreate");
  must_pi(pi->piextKernelSetArgMemObj(kernel, 0, NULL, &memory), "piextKernelSetArgMemObj");
  if (found.program->constants)
    must_pi(
        pi->piextKernelSetArgMemObj(kernel, found.buffer_argument, NULL, &found.program->constants),
        "piextKernelSetArgMemObj");
  must_pi(pi->piEnqueueKernelLaunch(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
          "piEnqueueKernelLaunch");
  must_pi(pi->piEnqueueMemBufferRead(queue, memory, PI_TRUE, 0, size, values, 0, NULL, NULL),
          "piEnqueueMemBufferRead");
  must_pi(pi->piKernelRelease(kernel), "piKernelRelease");
  must_pi(pi->piMemRelease(memory), "piMemRelease");
  must_pi(pi->piQueueRelease(queue), "piQueueRelease");
}

int64_t support_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
