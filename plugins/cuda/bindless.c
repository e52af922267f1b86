/* Handles of bindless images: surfaces for unsampled ones, textures for sampled ones. */
#include "bindless.h"

#include "../objects/usm.h"
#include "checks.h"
#include "image.h"
#include "sampler.h"

#include "../objects/usm_arguments.h"

#include <stdlib.h>

/* What a handle is made of: image memory, or plain memory of the device. */
typedef struct image_source {
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
  image_memory memory; /* levels is 0 for plain memory */
  CUdeviceptr pointer; /* of plain memory */
  size_t row_pitch;
} image_source;

/* The memory knows its sizes; what the caller says of it has to agree in kind. */
static pi_result check_same(const image_source *source) {
  const image_memory *memory = &source->memory;
  PI_REQUIRE(image_array_format(&source->pixel) == image_array_format(&memory->pixel) &&
                 source->pixel.channels == memory->pixel.channels,
             PI_ERROR_IMAGE_FORMAT_MISMATCH,
             "image_format has %u channels of CUDA's format %d, img_mem %u of format %d",
             source->pixel.channels, (int)image_array_format(&source->pixel),
             memory->pixel.channels, (int)image_array_format(&memory->pixel));
  PI_REQUIRE(source->shape.type == memory->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "image_type is 0x%x, and img_mem was made with 0x%x", (unsigned)source->shape.type,
             (unsigned)memory->shape.type);
  return PI_SUCCESS;
}

static pi_result check_multiple(pi_device device, const char *name, uint64_t value,
                                CUdevice_attribute attribute) {
  const int alignment = cuda_attribute(device, attribute, 1);
  PI_REQUIRE(alignment <= 1 || value % (unsigned)alignment == 0, PI_ERROR_INVALID_VALUE,
             "%s is 0x%llx, and the device's textures need a multiple of %d", name,
             (unsigned long long)value, alignment);
  return PI_SUCCESS;
}

static pi_result check_most(pi_device device, const char *name, size_t value,
                            CUdevice_attribute attribute) {
  const int limit = cuda_attribute(device, attribute, 0);
  PI_REQUIRE(limit > 0 && value <= (size_t)limit, PI_ERROR_INVALID_IMAGE_SIZE,
             "%s is %zu, and the device's images in plain memory have at most %d", name, value,
             limit);
  return PI_SUCCESS;
}

/* Plain memory: one row, or rows with a pitch. */
static pi_result read_plain(pi_context context, pi_image_mem_handle img_mem,
                            const pi_image_desc *desc, image_source *source) {
  const pi_device device = context->devices[0];
  const image_shape *shape = &source->shape;
  const size_t row = shape->width * source->pixel.size;
  source->pointer = cu_pointer(img_mem);
  source->row_pitch = desc->image_row_pitch ? desc->image_row_pitch : row;
  if (shape->type != PI_MEM_TYPE_IMAGE1D && shape->type != PI_MEM_TYPE_IMAGE2D)
    return CUDA_UNSUPPORTED("img_mem is plain memory, of which CUDA makes 1D and 2D images only");
  size_t size;
  usm_range range;
  PI_TRY(pi_rows_size("image_row_pitch", img_mem, source->row_pitch, row, shape->height, &size));
  PI_TRY(usm_check_reached(context, context->devices[0], "img_mem", img_mem, size, &range));
  PI_REQUIRE(range.type != PI_MEM_TYPE_HOST, PI_ERROR_INVALID_VALUE,
             "img_mem is memory of the host, and textures need the device's");
  PI_TRY(check_multiple(device, "img_mem", source->pointer, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
  if (shape->type == PI_MEM_TYPE_IMAGE1D)
    return check_most(device, "image_width", shape->width,
                      CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  PI_TRY(check_multiple(device, "image_row_pitch", source->row_pitch,
                        CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
  PI_TRY(check_most(device, "image_width", shape->width,
                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH));
  PI_TRY(check_most(device, "image_height", shape->height,
                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT));
  return check_most(device, "image_row_pitch", source->row_pitch,
                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
}

/* Reads what the create functions have in common; the context becomes current. */
static pi_result read_source(pi_context context, pi_device device, pi_image_mem_handle img_mem,
                             const pi_image_format *format, const pi_image_desc *desc,
                             image_source *ret) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(img_mem);
  *ret = (image_source){0};
  PI_TRY(image_pixel_read(format, &ret->pixel));
  PI_TRY(image_shape_read(NULL, desc, &ret->pixel, &ret->shape));
  ret->format = *format;
  PI_TRY(cuda_enter(context));
  if (!image_memory_find(img_mem, context, &ret->memory))
    return read_plain(context, img_mem, desc, ret);
  PI_TRY(check_same(ret));
  ret->shape = ret->memory.shape;
  return PI_SUCCESS;
}

/* A surface or texture, so that its number can be told from others. */
static pi_result list_handle(pi_context context, registry_kind kind, uint64_t number) {
  registry_entry *entry;
  PI_TRY(registry_new(kind, number, context, sizeof *entry, &entry));
  registry_add(entry);
  return PI_SUCCESS;
}

/* The outputs of a create function, for a handle that was just made. */
static pi_result give_out(pi_context context, const image_source *source, registry_kind kind,
                          uint64_t handle, pi_mem *ret_mem, pi_image_handle *ret_handle) {
  const cuda_image image = {
      .format = source->format, .pixel = source->pixel, .shape = source->shape, .surface = handle};
  pi_mem mem;
  PI_TRY(image_object_new(context, PI_MEM_FLAGS_ACCESS_RW, &image, false, &mem));
  const pi_result result = list_handle(context, kind, handle);
  if (result != PI_SUCCESS) {
    memory_release(mem);
    return result;
  }
  *ret_mem = mem;
  *ret_handle = handle;
  return PI_SUCCESS;
}

pi_result piextMemUnsampledImageCreate(pi_context context, pi_device device,
                                       pi_image_mem_handle img_mem, pi_image_format *image_format,
                                       pi_image_desc *image_desc, pi_mem *ret_mem,
                                       pi_image_handle *ret_handle) {
  image_source source;
  PI_TRY(read_source(context, device, img_mem, image_format, image_desc, &source));
  REQUIRE_POINTER(ret_mem);
  REQUIRE_POINTER(ret_handle);
  if (source.memory.levels == 0)
    return CUDA_UNSUPPORTED("img_mem is plain memory, and CUDA makes unsampled images of image "
                            "memory only");
  PI_REQUIRE(source.memory.array, PI_ERROR_INVALID_VALUE,
             "img_mem has %u levels; an unsampled image is one of them, of piextMemMipmapGetLevel",
             source.memory.levels);
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = source.memory.array};
  CUsurfObject surface = 0;
  CU_TRY(SurfObjectCreate, &surface, &resource);
  const pi_result result =
      give_out(context, &source, REGISTRY_UNSAMPLED, surface, ret_mem, ret_handle);
  if (result != PI_SUCCESS)
    cu.SurfObjectDestroy(surface);
  return result;
}

static CUDA_RESOURCE_DESC texture_resource(const image_source *source) {
  CUDA_RESOURCE_DESC resource = {0};
  const image_pixel *pixel = &source->pixel;
  if (source->memory.array) {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = source->memory.array;
  } else if (source->memory.mipmap) {
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = source->memory.mipmap;
  } else if (source->shape.has_height) {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = source->pointer;
    resource.res.pitch2D.format = image_array_format(pixel);
    resource.res.pitch2D.numChannels = pixel->channels;
    resource.res.pitch2D.width = source->shape.width;
    resource.res.pitch2D.height = source->shape.height;
    resource.res.pitch2D.pitchInBytes = source->row_pitch;
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = source->pointer;
    resource.res.linear.format = image_array_format(pixel);
    resource.res.linear.numChannels = pixel->channels;
    resource.res.linear.sizeInBytes = source->shape.width * pixel->size;
  }
  return resource;
}

/* What the driver would refuse without a reason, or pass over. */
static pi_result check_filter(const image_source *source, pi_sampler sampler) {
  PI_REQUIRE(!sampler->state.is_linear || image_kind_is_filtered(source->pixel.kind),
             PI_ERROR_INVALID_VALUE,
             "the sampler has a linear filter, and integers that are not normalised have none");
  PI_REQUIRE(
      sampler->state.is_normalized || source->memory.levels <= 1, PI_ERROR_INVALID_VALUE,
      "img_mem has %u levels, and CUDA finds the place in each by normalised coordinates only",
      source->memory.levels);
  if (sampler->state.is_linear && source->memory.levels == 0 && !source->shape.has_height)
    return CUDA_UNSUPPORTED("the sampler has a linear filter, and CUDA has none for one row of "
                            "plain memory");
  return PI_SUCCESS;
}

pi_result piextMemSampledImageCreate(pi_context context, pi_device device,
                                     pi_image_mem_handle img_mem, pi_image_format *image_format,
                                     pi_image_desc *image_desc, pi_sampler sampler, pi_mem *ret_mem,
                                     pi_image_handle *ret_handle) {
  image_source source;
  PI_TRY(read_source(context, device, img_mem, image_format, image_desc, &source));
  REQUIRE_SAMPLER(sampler);
  REQUIRE_POINTER(ret_mem);
  REQUIRE_POINTER(ret_handle);
  PI_TRY(check_filter(&source, sampler));
  const CUDA_RESOURCE_DESC resource = texture_resource(&source);
  const CUDA_TEXTURE_DESC description =
      sampler_texture(sampler, source.shape.has_height, source.shape.has_depth,
                      !image_kind_is_filtered(source.pixel.kind));
  CUtexObject texture = 0;
  CU_TRY(TexObjectCreate, &texture, &resource, &description, NULL);
  const pi_result result =
      give_out(context, &source, REGISTRY_SAMPLED, texture, ret_mem, ret_handle);
  if (result != PI_SUCCESS)
    cu.TexObjectDestroy(texture);
  return result;
}

static pi_result destroy_handle(pi_context context, pi_device device, registry_kind kind,
                                pi_image_handle handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(cuda_enter(context));
  registry_entry *entry = registry_take(kind, handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "handle 0x%llx is no %s image of the context",
             (unsigned long long)handle, kind == REGISTRY_UNSAMPLED ? "unsampled" : "sampled");
  const pi_result result = kind == REGISTRY_UNSAMPLED
                               ? cu_result(cu.SurfObjectDestroy(handle), "cuSurfObjectDestroy")
                               : cu_result(cu.TexObjectDestroy(handle), "cuTexObjectDestroy");
  return registry_end(entry, result);
}

pi_result piextMemUnsampledImageHandleDestroy(pi_context context, pi_device device,
                                              pi_image_handle handle) {
  return destroy_handle(context, device, REGISTRY_UNSAMPLED, handle);
}

pi_result piextMemSampledImageHandleDestroy(pi_context context, pi_device device,
                                            pi_image_handle handle) {
  return destroy_handle(context, device, REGISTRY_SAMPLED, handle);
}
