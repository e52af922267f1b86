/*
 * Images of the fake Level Zero driver. The driver allocates their memory, and creates OpenCL
 * images that use it in place.
 */
#include "bindless.h"

#include <stdlib.h>
#include <sys/mman.h>

static uint64_t ids;

/* For each image type, OpenCL's type, and the sizes of the descriptor that matter. */
static const struct {
  cl_mem_object_type type;
  bool rows, slices, layers;
  uint32_t most;
} shapes[] = {
    [ZE_IMAGE_TYPE_1D] = {CL_MEM_OBJECT_IMAGE1D, false, false, false, FAKE_IMAGE_DIMS},
    [ZE_IMAGE_TYPE_1DARRAY] = {CL_MEM_OBJECT_IMAGE1D_ARRAY, false, false, true, FAKE_IMAGE_DIMS},
    [ZE_IMAGE_TYPE_2D] = {CL_MEM_OBJECT_IMAGE2D, true, false, false, FAKE_IMAGE_DIMS},
    [ZE_IMAGE_TYPE_2DARRAY] = {CL_MEM_OBJECT_IMAGE2D_ARRAY, true, false, true, FAKE_IMAGE_DIMS},
    [ZE_IMAGE_TYPE_3D] = {CL_MEM_OBJECT_IMAGE3D, true, true, false, FAKE_IMAGE_DIMS_3D},
};

unsigned fake_image_dimensions(ze_image_type_t type, bool *ret_is_array) {
  *ret_is_array = shapes[type].layers;
  return 1U + shapes[type].rows + shapes[type].slices;
}

ze_result_t zeDeviceGetImageProperties(ze_device_handle_t handle,
                                       ze_device_image_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetImageProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_IMAGE_PROPERTIES);
  (void)device; /* all are alike */
  properties->maxImageDims1D = FAKE_IMAGE_DIMS;
  properties->maxImageDims2D = FAKE_IMAGE_DIMS;
  properties->maxImageDims3D = FAKE_IMAGE_DIMS_3D;
  properties->maxImageBufferSize = 0;
  properties->maxImageArraySlices = FAKE_IMAGE_LAYERS;
  properties->maxSamplers = 16;
  properties->maxReadImageArgs = 128;
  properties->maxWriteImageArgs = 128;
  fake_pitched_properties *pitched =
      fake_next(properties->pNext, (ze_structure_type_t)FAKE_STYPE_PITCHED_ALLOC_PROPERTIES);
  if (pitched)
    pitched->width = pitched->height = FAKE_IMAGE_DIMS;
  return ZE_RESULT_SUCCESS;
}

/* Returns whether OpenCL's device supports a format and type. The caller holds OpenCL's lock. */
static bool is_supported(const fake_format *format, cl_mem_object_type type) {
  enum { MOST = 512 };
  cl_image_format *formats = fake_allocate(MOST * sizeof *formats);
  cl_uint count = 0;
  bool found = false;
  if (fake_cl.GetSupportedImageFormats(fake_cl.context, CL_MEM_READ_WRITE, type, MOST, formats,
                                       &count) == CL_SUCCESS)
    for (cl_uint i = 0; i < count && i < MOST && !found; i++)
      found = formats[i].image_channel_order == format->cl.image_channel_order &&
              formats[i].image_channel_data_type == format->cl.image_channel_data_type;
  free(formats);
  return found;
}

/* Checks a descriptor, except whether OpenCL's device supports the format. */
static ze_result_t read_desc(const ze_image_desc_t *desc, const char *function,
                             fake_format *ret_format, uint32_t ret_extents[3]) {
  FAKE_STRUCT(desc, IMAGE_DESC);
  FAKE_REQUIRE(desc->flags <= (ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED),
               INVALID_ENUMERATION, "%s: flags 0x%x", function, desc->flags);
  FAKE_REQUIRE((unsigned)desc->type <= ZE_IMAGE_TYPE_BUFFER, INVALID_ENUMERATION, "%s: type %d",
               function, (int)desc->type);
  if (desc->type == ZE_IMAGE_TYPE_BUFFER)
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "%s: images that are buffers", function);
  if (!fake_format_find(&desc->format, ret_format))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
                     "%s: OpenCL has no layout %d, type %d with this swizzle", function,
                     (int)desc->format.layout, (int)desc->format.type);
  FAKE_REQUIRE(desc->miplevels == 0, INVALID_ARGUMENT, "%s: %u mip levels", function,
               desc->miplevels);
  const uint64_t most = shapes[desc->type].most;
  const uint64_t height = shapes[desc->type].rows ? desc->height : 1;
  const uint64_t depth = shapes[desc->type].slices ? desc->depth : 1;
  const uint64_t layers = shapes[desc->type].layers ? desc->arraylevels : 1;
  FAKE_REQUIRE(desc->width != 0 && height != 0 && depth != 0 && layers != 0, INVALID_SIZE,
               "%s: a size of the image is 0", function);
  if (desc->width > most || height > most || depth > most || layers > FAKE_IMAGE_LAYERS)
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "%s: %llu * %llu * %llu, %llu layers",
                     function, (unsigned long long)desc->width, (unsigned long long)height,
                     (unsigned long long)depth, (unsigned long long)layers);
  ret_extents[0] = (uint32_t)desc->width;
  ret_extents[1] = (uint32_t)(desc->type == ZE_IMAGE_TYPE_1DARRAY ? layers : height);
  ret_extents[2] = (uint32_t)(desc->type == ZE_IMAGE_TYPE_2DARRAY ? layers : depth);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageGetProperties(ze_device_handle_t handle, const ze_image_desc_t *desc,
                                 ze_image_properties_t *properties) {
  FAKE_ENTER(zeImageGetProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, IMAGE_PROPERTIES);
  (void)device; /* all are alike */
  fake_format format;
  uint32_t extents[3];
  FAKE_TRY(read_desc(desc, "zeImageGetProperties", &format, extents));
  const cl_mem_object_type type = shapes[desc->type].type;
  FAKE_TRY(fake_cl_enter());
  const bool supported = is_supported(&format, type);
  fake_cl_leave();
  properties->samplerFilterFlags =
      !supported        ? 0
      : format.integers ? (ze_image_sampler_filter_flags_t)ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT
                        : ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR;
  return ZE_RESULT_SUCCESS;
}

static fake_texels *new_texels(const uint32_t extents[3], size_t size) {
  enum { ALIGNMENT = 64, POISON = 0xa5 };
  fake_texels *texels = fake_allocate(sizeof *texels);
  texels->references = 1;
  /* Adds a gap after each row and each slice, so that programs which assume none fail. */
  texels->pitch = (extents[0] * size / ALIGNMENT + 1) * ALIGNMENT;
  texels->slice = texels->pitch * (extents[1] + (extents[2] > 1));
  texels->size = texels->slice * extents[2];
  texels->bytes = aligned_alloc(ALIGNMENT, texels->size);
  if (!texels->bytes) {
    free(texels);
    return NULL;
  }
  memset(texels->bytes, POISON, texels->size);
  return texels;
}

/* Makes texels in an imported file, without gaps, or in the program's memory, with its pitch. */
static fake_texels *foreign_texels(const fake_bindless *bindless, const uint32_t extents[3],
                                   size_t size) {
  fake_texels *texels = fake_allocate(sizeof *texels);
  texels->references = 1;
  texels->is_mapped = bindless->file >= 0;
  texels->is_foreign = !texels->is_mapped;
  texels->pitch = texels->is_mapped ? extents[0] * size : fake_bindless_pitch(extents[0], size);
  texels->slice = texels->pitch * extents[1];
  texels->size = texels->slice * extents[2];
  if (texels->is_foreign) {
    texels->bytes = fake_view(bindless->pointer);
    return texels;
  }
  texels->bytes = mmap(NULL, texels->size, PROT_READ | PROT_WRITE, MAP_SHARED, bindless->file, 0);
  if (texels->bytes != MAP_FAILED)
    return texels;
  free(texels);
  return NULL;
}

static void release_texels(fake_texels *texels) {
  if (--texels->references != 0)
    return;
  if (texels->is_mapped)
    munmap(texels->bytes, texels->size);
  else if (!texels->is_foreign)
    free(texels->bytes);
  free(texels);
}

/* Creates OpenCL's image that uses the texels. The caller holds OpenCL's lock. */
static cl_mem new_memory(const ze_image_desc_t *desc, const fake_format *format,
                         const uint32_t extents[3], const fake_texels *texels, cl_int *code) {
  cl_image_desc shape = {.image_type = shapes[desc->type].type, .image_width = extents[0]};
  if (shapes[desc->type].rows)
    shape.image_height = extents[1];
  if (shapes[desc->type].slices)
    shape.image_depth = extents[2];
  if (shapes[desc->type].layers)
    shape.image_array_size = shapes[desc->type].rows ? extents[2] : extents[1];
  if (desc->type != ZE_IMAGE_TYPE_1D)
    shape.image_row_pitch = texels->pitch;
  if (desc->type == ZE_IMAGE_TYPE_1DARRAY)
    shape.image_slice_pitch = texels->pitch;
  else if (shapes[desc->type].slices || shapes[desc->type].layers)
    shape.image_slice_pitch = texels->slice;
  return fake_cl.CreateImage(fake_cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, &format->cl,
                             &shape, texels->bytes, code);
}

/* Creates an image. Takes over texels, also on failure. */
static ze_result_t new_image(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                             const ze_image_desc_t *desc, const fake_format *format,
                             const uint32_t extents[3], fake_texels *texels, const char *function,
                             ze_image_handle_t *ret) {
  cl_int code = CL_IMAGE_FORMAT_NOT_SUPPORTED;
  cl_mem memory = NULL;
  ze_result_t result = fake_cl_enter();
  if (result == ZE_RESULT_SUCCESS) {
    if (is_supported(format, shapes[desc->type].type))
      memory = new_memory(desc, format, extents, texels, &code);
    fake_cl_leave();
    if (code != CL_SUCCESS)
      result = fake_deny(fake_cl_result(code), "%s: OpenCL makes no such image: %s", function,
                         fake_cl_code(code));
  }
  fake_context *context = fake_find(context_handle, FAKE_CONTEXT);
  fake_device *device = fake_find(device_handle, FAKE_DEVICE);
  if (result == ZE_RESULT_SUCCESS && (!context || !device))
    result = fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                         "%s: the context was destroyed meanwhile", function);
  if (result != ZE_RESULT_SUCCESS) {
    fake_cl_drop_memory(memory);
    release_texels(texels);
    return result;
  }
  fake_image *image = fake_new(FAKE_IMAGE, sizeof *image, context, false);
  image->device = device;
  image->desc = *desc;
  image->desc.pNext = NULL;
  image->format = *format;
  memcpy(image->extents, extents, sizeof image->extents);
  image->texels = texels;
  image->memory = memory;
  image->id = ++ids;
  *ret = FAKE_HANDLE(ze_image_handle_t, image);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageCreate(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                          const ze_image_desc_t *desc, ze_image_handle_t *ret) {
  FAKE_ENTER(zeImageCreate);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeImageCreate: phImage is NULL");
  FAKE_REQUIRE(fake_context_has(context, device), INVALID_ARGUMENT,
               "zeImageCreate: the device is none of the context's");
  fake_format format;
  uint32_t extents[3];
  FAKE_TRY(read_desc(desc, "zeImageCreate", &format, extents));
  fake_bindless bindless;
  FAKE_TRY(
      fake_bindless_read(context, device, desc, extents, format.size, "zeImageCreate", &bindless));
  fake_texels *texels = bindless.pointer || bindless.file >= 0
                            ? foreign_texels(&bindless, extents, format.size)
                            : new_texels(extents, format.size);
  if (!texels)
    return fake_deny(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "zeImageCreate: no memory");
  FAKE_TRY(new_image(context_handle, device_handle, desc, &format, extents, texels, "zeImageCreate",
                     ret));
  ((fake_image *)fake_find(*ret, FAKE_IMAGE))->bindless = bindless.is_bindless;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageViewCreateExp(ze_context_handle_t context_handle,
                                 ze_device_handle_t device_handle, const ze_image_desc_t *desc,
                                 ze_image_handle_t handle, ze_image_handle_t *ret) {
  FAKE_ENTER(zeImageViewCreateExp);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeImageViewCreateExp: phImageView is NULL");
  if (fake_is_left_out(ZE_IMAGE_VIEW_EXP_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "zeImageViewCreateExp is left out");
  fake_format format;
  uint32_t extents[3];
  FAKE_TRY(read_desc(desc, "zeImageViewCreateExp", &format, extents));
  FAKE_REQUIRE(image->head.context == context && image->device == device, INVALID_ARGUMENT,
               "zeImageViewCreateExp: the image is of another context or device");
  FAKE_REQUIRE(desc->type == image->desc.type && format.size == image->format.size &&
                   memcmp(extents, image->extents, sizeof extents) == 0,
               INVALID_ARGUMENT,
               "zeImageViewCreateExp: type, sizes or pixels are not those of the image");
  fake_bindless bindless;
  FAKE_TRY(fake_bindless_read(context, device, desc, extents, format.size, "zeImageViewCreateExp",
                              &bindless));
  FAKE_REQUIRE(!bindless.pointer && bindless.file < 0, INVALID_ARGUMENT,
               "zeImageViewCreateExp: a view has no memory of its own");
  FAKE_REQUIRE(!bindless.is_bindless || image->bindless, INVALID_ARGUMENT,
               "zeImageViewCreateExp: a bindless view of an image that is not");
  image->texels->references++;
  FAKE_TRY(new_image(context_handle, device_handle, desc, &format, extents, image->texels,
                     "zeImageViewCreateExp", ret));
  ((fake_image *)fake_find(*ret, FAKE_IMAGE))->bindless = bindless.is_bindless;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageDestroy(ze_image_handle_t handle) {
  FAKE_ENTER_ALONE(zeImageDestroy, handle);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_TRY(fake_check_unused(&image->head, "zeImageDestroy"));
  /* OpenCL must release its image before the memory is freed. */
  cl_mem memory = image->memory;
  fake_texels *texels = image->texels;
  fake_delete(image);
  FAKE_TRY(fake_cl_enter());
  fake_cl.ReleaseMemObject(memory);
  fake_cl_leave();
  release_texels(texels);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageGetMemoryPropertiesExp(ze_image_handle_t handle,
                                          ze_image_memory_properties_exp_t *properties) {
  FAKE_ENTER(zeImageGetMemoryPropertiesExp);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_STRUCT(properties, IMAGE_MEMORY_EXP_PROPERTIES);
  if (fake_is_left_out(ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeImageGetMemoryPropertiesExp is left out");
  properties->size = image->texels->size;
  properties->rowPitch = image->texels->pitch;
  properties->slicePitch = image->texels->slice;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageGetAllocPropertiesExt(ze_context_handle_t context_handle,
                                         ze_image_handle_t handle,
                                         ze_image_allocation_ext_properties_t *properties) {
  FAKE_ENTER(zeImageGetAllocPropertiesExt);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_STRUCT(properties, IMAGE_ALLOCATION_EXT_PROPERTIES);
  FAKE_REQUIRE(image->head.context == context, INVALID_ARGUMENT,
               "zeImageGetAllocPropertiesExt: the image is of another context");
  if (fake_is_left_out(ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeImageGetAllocPropertiesExt is left out");
  properties->id = image->id;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_residency(ze_context_handle_t context_handle,
                                   ze_device_handle_t device_handle, ze_image_handle_t handle,
                                   const char *function) {
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_REQUIRE(image->head.context == context && fake_context_has(context, device),
               INVALID_ARGUMENT, "%s: the image or the device is none of the context's", function);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextMakeImageResident(ze_context_handle_t context, ze_device_handle_t device,
                                       ze_image_handle_t image) {
  FAKE_ENTER(zeContextMakeImageResident);
  return check_residency(context, device, image, "zeContextMakeImageResident");
}

ze_result_t zeContextEvictImage(ze_context_handle_t context, ze_device_handle_t device,
                                ze_image_handle_t image) {
  FAKE_ENTER(zeContextEvictImage);
  return check_residency(context, device, image, "zeContextEvictImage");
}
