/* Images: creation, moves between devices, native handles. */
#include "image.h"

#include "image_transfer.h"
#include "memory.h"

#include <stdlib.h>

static void destroy_replicas(pi_mem mem) {
  for (pi_uint32 i = 0; i < mem->context->root_count; i++) {
    const image_replica *copy = &mem->driver.replicas[i];
    if (!copy->array || cuda_enter_device(mem->context, mem->context->roots[i]) != PI_SUCCESS)
      continue;
    cu.SurfObjectDestroy(copy->surface);
    cu.ArrayDestroy(copy->array);
  }
  free(mem->driver.replicas);
}

/* Ignores failures, because nobody could receive them. */
void image_destroy(pi_mem mem) {
  if (mem->driver.replicas) {
    destroy_replicas(mem);
    return;
  }
  if (mem->pointer)
    cu.SurfObjectDestroy(mem->driver.surface);
  if (mem->is_owned)
    cu.ArrayDestroy(mem->pointer);
}

pi_result image_make_surface(CUarray array, uint64_t *ret) {
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = array};
  CUsurfObject surface = 0;
  CU_TRY(SurfObjectCreate, &surface, &resource);
  *ret = surface;
  return PI_SUCCESS;
}

pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret) {
  (void)is_writable; /* kernels can write every format that they can read */
  TRY(image_pixel_read_straight(format, &ret->pixel));
  TRY(image_shape_read(context->devices[0], desc, &ret->pixel, &ret->shape));
  ret->format = *format;
  return PI_SUCCESS;
}

/*
 * Makes an array, with the pixels in memory or, if that is NULL, with undefined ones, and a surface
 * for the array. The context is current.
 */
static pi_result make_replica(pi_mem image, const image_pitched *memory, image_replica *ret) {
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = image_array_descriptor(&image->form);
  const image_shape *shape = &image->form.shape;
  image_part whole = {.form = &image->form,
                      .box = {0, 0, 0, shape->width, shape->height, shape->depth}};
  image_replica made = {NULL, 0};
  CU_TRY(Array3DCreate, &made.array, &descriptor);
  whole.image = made.array;
  pi_result result = memory ? image_transfer_now(&whole, memory) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    result = image_make_surface(made.array, &made.surface);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    cu.ArrayDestroy(made.array);
  return result;
}

/* Makes an image of a context of several devices, with an array on one device that is in use. */
static pi_result create_replicas(pi_mem image, const image_pitched *memory, image_replica *first) {
  const pi_context context = image->context;
  pi_context member;
  TRY(context_any_member(context, &member));
  TRY(cuda_enter(member));
  image_replica *replicas = calloc(context->root_count, sizeof *replicas);
  REQUIRE_MEMORY(replicas, "an image of %u devices", context->root_count);
  const pi_result result = make_replica(image, memory, first);
  if (result != PI_SUCCESS) {
    free(replicas);
    return result;
  }
  replicas[context_root(context, member->devices[0])] = *first;
  image->driver.replicas = replicas;
  atomic_store(&image->driver.home, memory ? member->devices[0] : NULL);
  return PI_SUCCESS;
}

pi_result driver_image_create(pi_mem image, const image_pitched *memory) {
  image_replica made;
  if (image->context->driver.members) {
    TRY(create_replicas(image, memory, &made));
  } else {
    TRY(cuda_enter(image->context));
    TRY(make_replica(image, memory, &made));
    image->driver.surface = made.surface;
  }
  image->pointer = made.array;
  return PI_SUCCESS;
}

/* ---- Moves between devices ---- */

/* Returns the device's array and surface, which it makes when the device first needs them. */
static pi_result get_replica(pi_mem image, pi_device device, image_replica *ret) {
  image_replica *copy = &image->driver.replicas[context_root(image->context, device)];
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&image->lock);
  if (!copy->array)
    result = make_replica(image, NULL, copy);
  *ret = *copy;
  pthread_mutex_unlock(&image->lock);
  return result;
}

/* Enqueues a copy of all pixels from one device to another. */
static pi_result move_pixels(CUstream stream, pi_mem image, pi_device from, pi_device to) {
  const pi_context context = image->context;
  const image_shape *shape = &image->form.shape;
  const image_box box = {0, 0, 0, shape->width, shape->height, shape->depth};
  const image_extent extent = image_extent_of(&image->form, &box);
  pi_context source, target;
  image_replica here, there;
  TRY(context_member(context, from, &source));
  TRY(context_member(context, to, &target));
  TRY(get_replica(image, from, &here));
  TRY(get_replica(image, to, &there));
  const CUDA_MEMCPY3D_PEER copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .srcArray = here.array,
                                   .srcContext = source->driver.context,
                                   .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .dstArray = there.array,
                                   .dstContext = target->driver.context,
                                   .WidthInBytes = extent.width,
                                   .Height = extent.height,
                                   .Depth = extent.depth};
  CU_TRY(Memcpy3DPeerAsync, &copy, stream);
  return PI_SUCCESS;
}

pi_result image_bring(const sink *sink, pi_mem image) {
  image_replica copy;
  if (!image->driver.replicas)
    return PI_SUCCESS;
  TRY(get_replica(image, sink->device, &copy));
  if (sink->buffer) /* a command buffer moves its images at each run */
    return PI_SUCCESS;
  const pi_device from = atomic_exchange(&image->driver.home, sink->device);
  return from && from != sink->device ? move_pixels(sink->command.stream, image, from, sink->device)
                                      : PI_SUCCESS;
}

pi_result image_bring_part(const sink *sink, image_part *part) {
  image_replica copy;
  if (!part->mem || !part->mem->driver.replicas)
    return PI_SUCCESS;
  TRY(image_bring(sink, part->mem));
  TRY(get_replica(part->mem, sink->device, &copy));
  part->image = copy.array;
  return PI_SUCCESS;
}

uint64_t image_surface_on(pi_mem image, pi_device device) {
  return image->driver.replicas
             ? image->driver.replicas[context_root(image->context, device)].surface
             : image->driver.surface;
}

/*
 * Finds the form of a CUarray. The driver reports the array's sizes and channel types, so desc is
 * not needed. format tells whether integers are normalised; if it is NULL, they are not.
 */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret) {
  (void)desc;
  REQUIRE(!context->driver.members, PI_ERROR_UNSUPPORTED_FEATURE,
          "a CUarray does not name its device, and the context has %u: use a context of one",
          context->root_count);
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
  image_form form = {0};
  TRY(cuda_enter(context));
  CU_TRY(Array3DGetDescriptor, &descriptor, (CUarray)native);
  REQUIRE(format || image_format_of_array(descriptor.Format, descriptor.NumChannels, &form.format),
          PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
          "the CUarray has %u channels of format %d, which PI has no name for",
          descriptor.NumChannels, (int)descriptor.Format);
  if (format)
    form.format = *format;
  TRY(image_pixel_read_straight(&form.format, &form.pixel));
  REQUIRE(image_array_format(&form.pixel) == descriptor.Format &&
              form.pixel.channels == descriptor.NumChannels,
          PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "image_format has %u channels of CUDA's format %d, the CUarray %u of format %d",
          form.pixel.channels, (int)image_array_format(&form.pixel), descriptor.NumChannels,
          (int)descriptor.Format);
  REQUIRE(descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST, PI_ERROR_INVALID_MEM_OBJECT,
          "the CUarray was made without CUDA_ARRAY3D_SURFACE_LDST, so no kernel can have it as "
          "an argument");
  TRY(image_shape_of_array(&descriptor, &form.pixel, &form.shape));
  *ret = form;
  return PI_SUCCESS;
}

/* Makes an image around a CUarray, with a surface of its own. */
pi_result driver_image_adopt(pi_mem image, pi_native_handle native) {
  TRY(image_make_surface((CUarray)native, &image->driver.surface));
  image->pointer = (void *)native;
  return PI_SUCCESS;
}
