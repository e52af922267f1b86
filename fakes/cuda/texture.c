/* Texture and surface objects. */
#include "texture.h"

#include <stdio.h>
#include <stdlib.h>

void fake_texture_end(fake_texture *texture) {
  free(texture->levels);
  fake_delete(texture);
}

static fake_texels texels_of(const fake_array *array) {
  const size_t row = array->width * array->element;
  return (fake_texels){array->bytes, array->width, array->height,
                       array->depth, row,          row * array->height};
}

static void show_array(fake_texture *texture, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  texture->format = desc->Format;
  texture->channels = desc->NumChannels;
  texture->layered = (desc->Flags & CUDA_ARRAY3D_LAYERED) != 0;
  texture->cube = (desc->Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  texture->dimensions = desc->Height == 0                                       ? 1
                        : desc->Depth == 0 || texture->layered || texture->cube ? 2
                                                                                : 3;
}

static CUresult find_array(fake_texture *texture, const CUDA_RESOURCE_DESC *resource) {
  FAKE_FIND(fake_array, array, resource->res.array.hArray, ARRAY);
  show_array(texture, &array->desc);
  texture->level_count = 1;
  texture->levels = fake_allocate(sizeof *texture->levels);
  texture->levels[0] = texels_of(array);
  return CUDA_SUCCESS;
}

static CUresult find_mipmap(fake_texture *texture, const CUDA_RESOURCE_DESC *resource) {
  FAKE_FIND(fake_mipmap, mipmap, resource->res.mipmap.hMipmappedArray, MIPMAP);
  show_array(texture, &mipmap->desc);
  texture->level_count = mipmap->level_count;
  texture->levels = fake_allocate(mipmap->level_count * sizeof *texture->levels);
  for (unsigned i = 0; i < mipmap->level_count; i++)
    texture->levels[i] = texels_of(mipmap->levels[i]);
  return CUDA_SUCCESS;
}

static CUresult check_format(CUarray_format format, unsigned channels, const char *function) {
  FAKE_REQUIRE(fake_format_size(format) != 0 && (channels == 1 || channels == 2 || channels == 4),
               INVALID_VALUE, "%s: no texels of format 0x%x with %u channels", function,
               (unsigned)format, channels);
  return CUDA_SUCCESS;
}

static CUresult find_memory(fake_texture *texture, const CUDA_RESOURCE_DESC *resource,
                            const char *function) {
  const bool pitched = resource->resType == CU_RESOURCE_TYPE_PITCH2D;
  texture->format = pitched ? resource->res.pitch2D.format : resource->res.linear.format;
  texture->channels =
      pitched ? resource->res.pitch2D.numChannels : resource->res.linear.numChannels;
  FAKE_TRY(check_format(texture->format, texture->channels, function));
  const size_t element = fake_format_size(texture->format) * texture->channels;
  const CUdeviceptr address = pitched ? resource->res.pitch2D.devPtr : resource->res.linear.devPtr;
  fake_texels texels = {.height = 1, .depth = 1};
  size_t size = resource->res.linear.sizeInBytes;
  texels.width = size / element;
  if (pitched) {
    texels.width = resource->res.pitch2D.width;
    texels.height = resource->res.pitch2D.height;
    texels.pitch = resource->res.pitch2D.pitchInBytes;
    const size_t step = (size_t)fake_attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
    FAKE_REQUIRE(texels.pitch % step == 0 && texels.height != 0 && texels.width != 0 &&
                     texels.width <= texels.pitch / element && texels.pitch < 1 << 24 &&
                     texels.height < 1 << 20,
                 INVALID_VALUE, "%s: %zu * %zu texels with a pitch of %zu bytes", function,
                 texels.width, texels.height, texels.pitch);
    size = (texels.height - 1) * texels.pitch + texels.width * element;
  }
  FAKE_REQUIRE(size != 0, INVALID_VALUE, "%s: memory of 0 bytes", function);
  const size_t align =
      pitched ? (size_t)fake_attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) : element;
  FAKE_REQUIRE(address % align == 0, INVALID_VALUE, "%s: 0x%llx is no multiple of %zu", function,
               address, align);
  FAKE_TRY(fake_device_range(address, size, false, function, &texels.bytes));
  texture->dimensions = pitched ? 2 : 1;
  texture->linear = !pitched;
  texture->level_count = 1;
  texture->levels = fake_copy(&texels, sizeof texels);
  return CUDA_SUCCESS;
}

static CUresult find_resource(fake_texture *texture, const CUDA_RESOURCE_DESC *resource,
                              const char *function) {
  texture->resource = *resource;
  switch (resource->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    FAKE_TRY(find_array(texture, resource));
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    FAKE_TRY(find_mipmap(texture, resource));
    break;
  case CU_RESOURCE_TYPE_LINEAR:
  case CU_RESOURCE_TYPE_PITCH2D:
    FAKE_TRY(find_memory(texture, resource, function));
    break;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: no type of resource is %d", function,
                       (int)resource->resType);
  }
  texture->element = fake_format_size(texture->format) * texture->channels;
  return CUDA_SUCCESS;
}

static CUresult check_texture(const fake_texture *texture) {
  const CUDA_TEXTURE_DESC *desc = &texture->desc;
  const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                         CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  FAKE_REQUIRE((desc->flags & ~known) == 0, INVALID_VALUE,
               "cuTexObjectCreate: unknown flags in 0x%x", desc->flags);
  for (int i = 0; i < 3; i++)
    FAKE_REQUIRE((unsigned)desc->addressMode[i] <= CU_TR_ADDRESS_MODE_BORDER, INVALID_VALUE,
                 "cuTexObjectCreate: no address mode is %d", (int)desc->addressMode[i]);
  FAKE_REQUIRE((unsigned)desc->filterMode <= CU_TR_FILTER_MODE_LINEAR &&
                   (unsigned)desc->mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR &&
                   desc->maxAnisotropy <= 16,
               INVALID_VALUE, "cuTexObjectCreate: no such filter");
  const bool small = fake_format_size(texture->format) < 4;
  const bool floats =
      fake_format_is_float(texture->format) || (small && !(desc->flags & CU_TRSF_READ_AS_INTEGER));
  FAKE_REQUIRE(desc->filterMode == CU_TR_FILTER_MODE_POINT || floats, INVALID_VALUE,
               "cuTexObjectCreate: integers cannot be filtered");
  FAKE_REQUIRE(!texture->cube || (desc->flags & CU_TRSF_NORMALIZED_COORDINATES), INVALID_VALUE,
               "cuTexObjectCreate: a cube's coordinates are normalized");
  FAKE_REQUIRE(texture->resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY ||
                   (desc->flags & CU_TRSF_NORMALIZED_COORDINATES),
               INVALID_VALUE, "cuTexObjectCreate: coordinates for several levels are normalized");
  if (desc->flags & CU_TRSF_SRGB)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuTexObjectCreate: no sRGB");
  return CUDA_SUCCESS;
}

/* Refuses resource views that change the format, the size or the range of the resource. */
static CUresult check_view(const fake_texture *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  if (!view)
    return CUDA_SUCCESS;
  FAKE_REQUIRE(texture->resource.resType == CU_RESOURCE_TYPE_ARRAY ||
                   texture->resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
               INVALID_VALUE, "cuTexObjectCreate: memory has no views");
  const fake_texels *first = &texture->levels[0];
  if (view->format != CU_RES_VIEW_FORMAT_NONE || view->width != first->width ||
      view->firstMipmapLevel != 0 || view->firstLayer != 0)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED,
                     "cuTexObjectCreate: no views that show something else than the whole array");
  return CUDA_SUCCESS;
}

static CUresult check_whole(fake_texture *texture, const CUDA_RESOURCE_DESC *resource,
                            const CUDA_RESOURCE_VIEW_DESC *view) {
  FAKE_TRY(find_resource(texture, resource, "cuTexObjectCreate"));
  FAKE_TRY(check_texture(texture));
  return check_view(texture, view);
}

CUresult cuTexObjectCreate(CUtexObject *ret, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view) {
  FAKE_ENTER(cuTexObjectCreate, CONTEXT);
  FAKE_REQUIRE(ret && resource && desc, INVALID_VALUE, "cuTexObjectCreate: NULL");
  fake_texture *texture = fake_new(FAKE_TEXTURE, sizeof *texture, fake_current(), false);
  texture->desc = *desc;
  const CUresult code = check_whole(texture, resource, view);
  if (code != CUDA_SUCCESS) {
    fake_texture_end(texture);
    return code;
  }
  *ret = (CUtexObject)(uintptr_t)texture->head.slot;
  return CUDA_SUCCESS;
}

static const void *handle_of(uint64_t object) {
  return (const void *)(uintptr_t)object;
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  FAKE_ENTER(cuTexObjectDestroy, CONTEXT);
  FAKE_FIND(fake_texture, texture, handle_of(object), TEXTURE);
  fake_stream_wait_all(texture->head.context);
  fake_texture_end(texture);
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *ret, const CUDA_RESOURCE_DESC *resource) {
  FAKE_ENTER(cuSurfObjectCreate, CONTEXT);
  FAKE_REQUIRE(ret && resource, INVALID_VALUE, "cuSurfObjectCreate: NULL");
  FAKE_REQUIRE(resource->resType == CU_RESOURCE_TYPE_ARRAY, INVALID_VALUE,
               "cuSurfObjectCreate: only arrays have surfaces");
  fake_texture *surface = fake_new(FAKE_SURFACE, sizeof *surface, fake_current(), false);
  CUresult code = find_resource(surface, resource, "cuSurfObjectCreate");
  const fake_array *array = fake_find(resource->res.array.hArray, FAKE_ARRAY);
  if (code == CUDA_SUCCESS && !(array->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
    code = fake_refuse(CUDA_ERROR_INVALID_VALUE,
                       "cuSurfObjectCreate: the array was created without SURFACE_LDST");
  if (code != CUDA_SUCCESS) {
    fake_texture_end(surface);
    return code;
  }
  /* A surface accesses the faces of a cube as layers. */
  surface->layered = surface->layered || surface->cube;
  *ret = (CUsurfObject)(uintptr_t)surface->head.slot;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  FAKE_ENTER(cuSurfObjectDestroy, CONTEXT);
  FAKE_FIND(fake_texture, surface, handle_of(object), SURFACE);
  fake_stream_wait_all(surface->head.context);
  fake_texture_end(surface);
  return CUDA_SUCCESS;
}

/* Finds an object for a kernel. It stays valid, because its destruction waits for the kernel. */
static const fake_texture *find_object(uint64_t handle, fake_kind kind, char *message,
                                       size_t message_size) {
  fake_lock();
  const fake_texture *texture = fake_find(handle_of(handle), kind);
  fake_unlock();
  if (!texture)
    snprintf(message, message_size, "no live %s object is 0x%llx",
             kind == FAKE_TEXTURE ? "texture" : "surface", (unsigned long long)handle);
  return texture;
}

static bool sample(void *user, const ptx_texture_access *access, uint32_t ret[4], char *message,
                   size_t message_size) {
  (void)user;
  const fake_texture *texture = find_object(access->texture, FAKE_TEXTURE, message, message_size);
  return texture && fake_texture_sample(texture, access, ret, message, message_size);
}

static bool use_surface(void *user, const ptx_surface_access *access, char *message,
                        size_t message_size) {
  (void)user;
  const fake_texture *surface = find_object(access->surface, FAKE_SURFACE, message, message_size);
  return surface && fake_surface_access(surface, access, message, message_size);
}

static bool query(void *user, uint64_t handle, bool is_surface, ptx_query query, uint32_t *ret,
                  char *message, size_t message_size) {
  (void)user;
  const fake_texture *texture =
      find_object(handle, is_surface ? FAKE_SURFACE : FAKE_TEXTURE, message, message_size);
  if (!texture)
    return false;
  const fake_texels *first = &texture->levels[0];
  switch (query) {
  case PTX_QUERY_WIDTH:
    *ret = (uint32_t)first->width;
    return true;
  case PTX_QUERY_HEIGHT:
    *ret = texture->dimensions > 1 ? (uint32_t)first->height : 0;
    return true;
  case PTX_QUERY_DEPTH:
    *ret = texture->dimensions > 2 ? (uint32_t)first->depth : 0;
    return true;
  case PTX_QUERY_ARRAY_SIZE:
    *ret = texture->layered ? (uint32_t)first->depth : 0;
    return true;
  case PTX_QUERY_CHANNEL_DATA_TYPE:
    *ret = fake_format_code(texture->format);
    return true;
  case PTX_QUERY_CHANNEL_ORDER:
    *ret = fake_order_code(texture->channels);
    return true;
  case PTX_QUERY_NORMALIZED_COORDS:
    *ret = (texture->desc.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    return true;
  case PTX_QUERY_NUM_MIPMAP_LEVELS:
    *ret = texture->level_count;
    return true;
  case PTX_QUERY_NUM_SAMPLES:
    *ret = 1;
    return true;
  case PTX_QUERY_FILTER_MODE:
    *ret = (uint32_t)texture->desc.filterMode;
    return true;
  case PTX_QUERY_ADDR_MODE_0:
  case PTX_QUERY_ADDR_MODE_1:
  case PTX_QUERY_ADDR_MODE_2:
    *ret = (uint32_t)texture->desc.addressMode[query - PTX_QUERY_ADDR_MODE_0];
    return true;
  default:
    snprintf(message, message_size, "the fake driver does not answer query %d", (int)query);
    return false;
  }
}

void fake_texture_hooks(ptx_hooks *hooks) {
  hooks->texture = sample;
  hooks->surface = use_surface;
  hooks->query = query;
}
