/* Image memory of bindless images, its levels, and answers about it. */
#include "bindless.h"
#include "checks.h"

/* The driver's handles are addresses. */
static uint64_t number_of(const image_memory *memory) {
  return memory->array ? cu_pointer(memory->array) : cu_pointer(memory->mipmap);
}

bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret) {
  return handle &&
         registry_read(REGISTRY_IMAGE_MEMORY, cu_pointer(handle), context, ret, sizeof *ret);
}

pi_result image_memory_list(pi_context context, const image_memory *memory, uint64_t owner,
                            pi_image_mem_handle *ret) {
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_IMAGE_MEMORY, number_of(memory), context, sizeof *memory, &entry));
  image_memory *listed = (image_memory *)(void *)entry;
  const registry_entry made = *entry;
  *listed = *memory;
  listed->entry = made;
  entry->owner = owner;
  if (!registry_add(entry))
    registry_free(entry);
  *ret = memory->array ? (pi_image_mem_handle)memory->array : (pi_image_mem_handle)memory->mipmap;
  return PI_SUCCESS;
}

pi_result image_memory_read(pi_device device, const pi_image_format *format,
                            const pi_image_desc *desc, image_memory *ret) {
  image_memory memory = {0};
  PI_TRY(image_pixel_read(format, &memory.pixel));
  PI_TRY(image_shape_read(device, desc, &memory.pixel, &memory.shape));
  const unsigned limit = image_level_limit(&memory.shape);
  memory.levels = desc->num_mip_levels ? desc->num_mip_levels : 1;
  PI_REQUIRE(memory.levels <= limit, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "num_mip_levels is %u, and an image of this size has %u at most", memory.levels,
             limit);
  memory.format = *format;
  *ret = memory;
  return PI_SUCCESS;
}

/* Gives image memory back to the driver. The context is current. */
static pi_result destroy_image_memory(const image_memory *memory) {
  if (memory->mipmap)
    CU_TRY(MipmappedArrayDestroy, memory->mipmap);
  else
    CU_TRY(ArrayDestroy, memory->array);
  return PI_SUCCESS;
}

pi_result piextMemImageAllocate(pi_context context, pi_device device, pi_image_format *image_format,
                                pi_image_desc *image_desc, pi_image_mem_handle *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_mem);
  image_memory memory;
  PI_TRY(image_memory_read(device, image_format, image_desc, &memory));
  PI_TRY(cuda_enter(context));
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = image_array_descriptor(&memory.shape, &memory.pixel);
  if (memory.levels > 1)
    CU_TRY(MipmappedArrayCreate, &memory.mipmap, &descriptor, memory.levels);
  else
    CU_TRY(Array3DCreate, &memory.array, &descriptor);
  const pi_result result = image_memory_list(context, &memory, 0, ret_mem);
  if (result != PI_SUCCESS)
    destroy_image_memory(&memory);
  return result;
}

/* Frees memory of one or of several levels; imported memory may go either way. */
static pi_result free_memory(pi_context context, pi_device device, pi_image_mem_handle handle,
                             bool has_levels, const char *other) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  image_memory found;
  PI_REQUIRE(image_memory_find(handle, context, &found), PI_ERROR_INVALID_VALUE,
             "memory_handle is no image memory of the context");
  PI_REQUIRE(found.entry.owner == 0, PI_ERROR_INVALID_VALUE,
             "memory_handle is a level, which is freed with its mip-map");
  PI_REQUIRE(found.is_external || (found.levels > 1) == has_levels, PI_ERROR_INVALID_VALUE,
             "memory_handle has %u levels and is freed by %s", found.levels, other);
  PI_TRY(cuda_enter(context));
  /* From here on no other thread finds it. */
  registry_entry *entry = registry_take(REGISTRY_IMAGE_MEMORY, number_of(&found), context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "another thread has freed memory_handle");
  const pi_result result = destroy_image_memory((const image_memory *)(void *)entry);
  if (result != PI_SUCCESS) {
    registry_add(entry);
    return result;
  }
  registry_entry *level;
  while ((level = registry_take_part(REGISTRY_IMAGE_MEMORY, entry->number)))
    registry_free(level);
  registry_free(entry);
  return PI_SUCCESS;
}

pi_result piextMemImageFree(pi_context context, pi_device device,
                            pi_image_mem_handle memory_handle) {
  return free_memory(context, device, memory_handle, false, "piextMemMipmapFree");
}

pi_result piextMemMipmapFree(pi_context context, pi_device device,
                             pi_image_mem_handle memory_handle) {
  return free_memory(context, device, memory_handle, true, "piextMemImageFree");
}

/* A level that was asked for before has its handle already. */
pi_result piextMemMipmapGetLevel(pi_context context, pi_device device, pi_image_mem_handle mip_mem,
                                 unsigned int level, pi_image_mem_handle *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_mem);
  image_memory mipmap;
  PI_REQUIRE(image_memory_find(mip_mem, context, &mipmap), PI_ERROR_INVALID_VALUE,
             "mip_mem is no image memory of the context");
  PI_REQUIRE(mipmap.levels > 1, PI_ERROR_INVALID_VALUE, "mip_mem has one level only");
  PI_REQUIRE(level < mipmap.levels, PI_ERROR_INVALID_VALUE,
             "level is %u, and mip_mem has %u levels", level, mipmap.levels);
  PI_TRY(cuda_enter(context));
  image_memory part = {.format = mipmap.format,
                       .pixel = mipmap.pixel,
                       .shape = image_shape_of_level(&mipmap.shape, level),
                       .levels = 1};
  CU_TRY(MipmappedArrayGetLevel, &part.array, mipmap.mipmap, level);
  return image_memory_list(context, &part, number_of(&mipmap), ret_mem);
}

/* The one query without a size: the buffer is as large as the answer, whatever it is. */
pi_result piextMemImageGetInfo(const pi_image_mem_handle mem_handle, pi_image_info param_name,
                               void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {SIZE_MAX, param_value, param_value_size_ret};
  image_memory memory;
  PI_REQUIRE(image_memory_find(mem_handle, NULL, &memory), PI_ERROR_INVALID_VALUE,
             "mem_handle is no image memory");
  PI_TRY(pi_answer_check(&answer));
  /* PI has no query for the layers of an array. */
  if (param_name == PI_IMAGE_INFO_DEPTH && memory.shape.is_layered)
    return pi_answer_size(&answer, memory.shape.depth);
  return image_answer(&answer, param_name, &memory.format, &memory.pixel, &memory.shape);
}
