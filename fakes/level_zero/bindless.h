/*
 * Bindless images and external semaphores of the fake driver. They are newer than Level Zero 1.4,
 * so this header has copies of later headers' structures.
 */
#ifndef SPECPI_TEST_FAKE_ZE_BINDLESS_H
#define SPECPI_TEST_FAKE_ZE_BINDLESS_H

#include "image.h"

#define FAKE_BINDLESS_NAME "ZE_experimental_bindless_image"
#define FAKE_SEMAPHORES_NAME "ZE_extension_external_semaphores"

/* Values of ze_structure_type_t from later headers. */
enum {
  FAKE_STYPE_PITCHED_ALLOC_PROPERTIES = 0x2001d,
  FAKE_STYPE_BINDLESS_IMAGE = 0x2001e,
  FAKE_STYPE_PITCHED_IMAGE = 0x2001f,
  FAKE_STYPE_SEMAPHORE = 0x20022,
  FAKE_STYPE_SEMAPHORE_FD = 0x20024,
  FAKE_STYPE_SEMAPHORE_SIGNAL = 0x20025,
  FAKE_STYPE_SEMAPHORE_WAIT = 0x20026,
};

/* ze_device_pitched_alloc_exp_properties_t */
typedef struct fake_pitched_properties {
  ze_structure_type_t stype;
  void *next;
  size_t width, height;
} fake_pitched_properties;

/* ze_external_semaphore_ext_desc_t */
struct fake_semaphore_desc {
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/* ze_external_semaphore_signal_params_ext_t, ze_external_semaphore_wait_params_ext_t */
struct fake_semaphore_params {
  ze_structure_type_t stype;
  const void *next;
  uint64_t value;
};

/* The requests in the pNext chain of an image's descriptor. */
typedef struct fake_bindless {
  bool is_bindless;
  bool is_sampled;
  void *pointer;           /* memory for the image; NULL if the image has its own */
  int file;                /* a file to import; -1 for none */
  fake_memory *allocation; /* the allocation that contains pointer */
} fake_bindless;

/*
 * Reads and checks the chain of an image's descriptor, for an image with these sizes and this pixel
 * size, in bytes.
 */
ze_result_t fake_bindless_read(fake_context *context, const fake_device *device,
                               const ze_image_desc_t *desc, const uint32_t extents[3],
                               size_t pixel_size, const char *function, fake_bindless *ret);

/* Returns the row pitch in bytes of images in memory that they do not own. */
size_t fake_bindless_pitch(size_t width, size_t pixel_size);

#endif
