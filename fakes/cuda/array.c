/* Arrays and mipmapped arrays of the fake CUDA driver. Texels are stored row by row. */
#include "memory.h"

#include <stdlib.h>

size_t fake_format_size(CUarray_format format) {
  switch ((int)format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8:
  case CU_AD_FORMAT_UNORM_INT8X1:
  case CU_AD_FORMAT_SNORM_INT8X1:
  case CU_AD_FORMAT_UNORM_INT8X2:
  case CU_AD_FORMAT_SNORM_INT8X2:
  case CU_AD_FORMAT_UNORM_INT8X4:
  case CU_AD_FORMAT_SNORM_INT8X4:
    return 1;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF:
  case CU_AD_FORMAT_UNORM_INT16X1:
  case CU_AD_FORMAT_SNORM_INT16X1:
  case CU_AD_FORMAT_UNORM_INT16X2:
  case CU_AD_FORMAT_SNORM_INT16X2:
  case CU_AD_FORMAT_UNORM_INT16X4:
  case CU_AD_FORMAT_SNORM_INT16X4:
    return 2;
  case CU_AD_FORMAT_UNSIGNED_INT32:
  case CU_AD_FORMAT_SIGNED_INT32:
  case CU_AD_FORMAT_FLOAT:
    return 4;
  default:
    return 0;
  }
}

/* The device attributes that limit an array's extents; 0 for an extent that the array lacks. */
typedef struct extents {
  CUdevice_attribute width, height, depth;
} extents;

#define TEXTURE(NAME) CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE##NAME

static extents limits_of(const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  const CUdevice_attribute none = (CUdevice_attribute)0;
  if ((desc->Flags & CUDA_ARRAY3D_CUBEMAP) && (desc->Flags & CUDA_ARRAY3D_LAYERED))
    return (extents){TEXTURE(CUBEMAP_LAYERED_WIDTH), TEXTURE(CUBEMAP_LAYERED_WIDTH),
                     TEXTURE(CUBEMAP_LAYERED_LAYERS)};
  if (desc->Flags & CUDA_ARRAY3D_CUBEMAP)
    return (extents){TEXTURE(CUBEMAP_WIDTH), TEXTURE(CUBEMAP_WIDTH), none};
  if (desc->Flags & CUDA_ARRAY3D_LAYERED)
    return desc->Height == 0
               ? (extents){TEXTURE(1D_LAYERED_WIDTH), none, TEXTURE(1D_LAYERED_LAYERS)}
               : (extents){TEXTURE(2D_LAYERED_WIDTH), TEXTURE(2D_LAYERED_HEIGHT),
                           TEXTURE(2D_LAYERED_LAYERS)};
  if (desc->Depth != 0)
    return (extents){TEXTURE(3D_WIDTH), TEXTURE(3D_HEIGHT), TEXTURE(3D_DEPTH)};
  if (desc->Height != 0)
    return (extents){TEXTURE(2D_WIDTH), TEXTURE(2D_HEIGHT), none};
  return (extents){TEXTURE(1D_WIDTH), none, none};
}

static bool fits(size_t extent, CUdevice_attribute limit) {
  return (int)limit == 0 || extent <= (size_t)fake_attribute(limit);
}

CUresult fake_array_check(const CUDA_ARRAY3D_DESCRIPTOR *desc, const char *function) {
  const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                         CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  FAKE_REQUIRE(fake_format_size(desc->Format) != 0, INVALID_VALUE, "%s: no format is 0x%x",
               function, (unsigned)desc->Format);
  FAKE_REQUIRE(desc->NumChannels == 1 || desc->NumChannels == 2 || desc->NumChannels == 4,
               INVALID_VALUE, "%s: %u channels", function, desc->NumChannels);
  FAKE_REQUIRE((desc->Flags & ~known) == 0, INVALID_VALUE, "%s: unknown flags in 0x%x", function,
               desc->Flags);
  const bool layered = (desc->Flags & CUDA_ARRAY3D_LAYERED) != 0;
  FAKE_REQUIRE(desc->Width != 0 && (layered || desc->Depth == 0 || desc->Height != 0) &&
                   (!layered || desc->Depth != 0),
               INVALID_VALUE, "%s: an array of %zu * %zu * %zu", function, desc->Width,
               desc->Height, desc->Depth);
  if (desc->Flags & CUDA_ARRAY3D_CUBEMAP)
    FAKE_REQUIRE(desc->Width == desc->Height && (layered ? desc->Depth % 6 == 0 : desc->Depth == 6),
                 INVALID_VALUE, "%s: a cube of %zu * %zu * %zu", function, desc->Width,
                 desc->Height, desc->Depth);
  const extents limits = limits_of(desc);
  FAKE_REQUIRE(fits(desc->Width, limits.width) && fits(desc->Height, limits.height) &&
                   fits(desc->Depth, limits.depth),
               INVALID_VALUE, "%s: %zu * %zu * %zu is more than the device has", function,
               desc->Width, desc->Height, desc->Depth);
  return CUDA_SUCCESS;
}

static size_t at_least_1(size_t extent) {
  return extent == 0 ? 1 : extent;
}

fake_array *fake_array_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc, bool owned,
                           void *bytes) {
  fake_array *array = fake_new(FAKE_ARRAY, sizeof *array, context, owned);
  array->desc = *desc;
  array->element = fake_format_size(desc->Format) * desc->NumChannels;
  array->width = desc->Width;
  array->height = at_least_1(desc->Height);
  array->depth = at_least_1(desc->Depth);
  array->bytes = bytes;
  array->borrowed = bytes != NULL;
  if (bytes)
    return array;
  array->size = array->element * array->width * array->height * array->depth;
  if (fake_memory_take(context->device, array->size)) {
    array->bytes = malloc(array->size + 1);
    if (array->bytes)
      return array;
    fake_memory_give(context->device, array->size);
  }
  fake_delete(array);
  return NULL;
}

void fake_array_end(fake_array *array) {
  if (!array->borrowed) {
    free(array->bytes);
    fake_memory_give(array->head.context->device, array->size);
  }
  fake_delete(array);
}

static CUresult create_array(CUarray *ret, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                             const char *function) {
  FAKE_TRY(fake_array_check(desc, function));
  fake_array *array = fake_array_new(fake_current(), desc, false, NULL);
  if (!array)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%s: no memory for the array", function);
  *ret = FAKE_HANDLE(CUarray, array);
  return CUDA_SUCCESS;
}

CUresult cuArray3DCreate(CUarray *ret, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  FAKE_ENTER(cuArray3DCreate, CONTEXT);
  FAKE_REQUIRE(ret && desc, INVALID_VALUE, "cuArray3DCreate: NULL");
  return create_array(ret, desc, "cuArray3DCreate");
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray handle) {
  FAKE_ENTER(cuArray3DGetDescriptor, CONTEXT);
  FAKE_REQUIRE(desc, INVALID_VALUE, "cuArray3DGetDescriptor: NULL");
  FAKE_FIND(fake_array, array, handle, ARRAY);
  *desc = array->desc;
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray handle) {
  FAKE_ENTER(cuArrayDestroy, CONTEXT);
  FAKE_FIND(fake_array, array, handle, ARRAY);
  FAKE_REQUIRE(!array->head.owned, INVALID_HANDLE,
               "cuArrayDestroy: the array is a level of a mipmapped one");
  fake_stream_wait_all(array->head.context);
  fake_array_end(array);
  return CUDA_SUCCESS;
}

static size_t level_extent(size_t extent, unsigned level) {
  return extent == 0 ? 0 : at_least_1(extent >> level);
}

static CUDA_ARRAY3D_DESCRIPTOR level_desc(const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned level) {
  CUDA_ARRAY3D_DESCRIPTOR smaller = *desc;
  smaller.Width = level_extent(desc->Width, level);
  smaller.Height = level_extent(desc->Height, level);
  /* Each level has the same number of layers. */
  if (!(desc->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)))
    smaller.Depth = level_extent(desc->Depth, level);
  return smaller;
}

static size_t size_of(const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  return fake_format_size(desc->Format) * desc->NumChannels * desc->Width *
         at_least_1(desc->Height) * at_least_1(desc->Depth);
}

CUresult fake_mipmap_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                         unsigned levels, void *bytes, size_t size, fake_mipmap **ret) {
  const size_t largest = desc->Width > desc->Height ? desc->Width : desc->Height;
  unsigned most = 1;
  while ((largest > desc->Depth ? largest : desc->Depth) >> most)
    most++;
  FAKE_REQUIRE(levels != 0, INVALID_VALUE, "a mipmapped array of no levels");
  if (levels > most)
    levels = most;
  size_t needed = 0;
  for (unsigned i = 0; i < levels; i++) {
    const CUDA_ARRAY3D_DESCRIPTOR one = level_desc(desc, i);
    needed += size_of(&one);
  }
  FAKE_REQUIRE(!bytes || needed <= size, INVALID_VALUE,
               "a mipmapped array of %zu bytes in memory of %zu", needed, size);
  fake_mipmap *mipmap = fake_new(FAKE_MIPMAP, sizeof *mipmap, context, false);
  mipmap->desc = *desc;
  mipmap->levels = fake_allocate(levels * sizeof *mipmap->levels);
  unsigned char *at = bytes;
  for (unsigned i = 0; i < levels; i++) {
    const CUDA_ARRAY3D_DESCRIPTOR one = level_desc(desc, i);
    mipmap->levels[i] = fake_array_new(context, &one, true, at);
    if (!mipmap->levels[i]) {
      fake_mipmap_end(mipmap);
      return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "no memory for the mipmapped array");
    }
    mipmap->level_count++;
    if (at)
      at += size_of(&one);
  }
  *ret = mipmap;
  return CUDA_SUCCESS;
}

void fake_mipmap_end(fake_mipmap *mipmap) {
  for (unsigned i = 0; i < mipmap->level_count; i++)
    fake_array_end(mipmap->levels[i]);
  free(mipmap->levels);
  if (mipmap->mapping)
    mipmap->release(mipmap->mapping);
  fake_delete(mipmap);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *ret, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                unsigned int levels) {
  FAKE_ENTER(cuMipmappedArrayCreate, CONTEXT);
  FAKE_REQUIRE(ret && desc, INVALID_VALUE, "cuMipmappedArrayCreate: NULL");
  FAKE_TRY(fake_array_check(desc, "cuMipmappedArrayCreate"));
  fake_mipmap *mipmap;
  FAKE_TRY(fake_mipmap_new(fake_current(), desc, levels, NULL, 0, &mipmap));
  *ret = FAKE_HANDLE(CUmipmappedArray, mipmap);
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *ret, CUmipmappedArray handle, unsigned int level) {
  FAKE_ENTER(cuMipmappedArrayGetLevel, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuMipmappedArrayGetLevel: NULL");
  FAKE_FIND(fake_mipmap, mipmap, handle, MIPMAP);
  FAKE_REQUIRE(level < mipmap->level_count, INVALID_VALUE,
               "cuMipmappedArrayGetLevel: level %u of %u", level, mipmap->level_count);
  *ret = FAKE_HANDLE(CUarray, mipmap->levels[level]);
  return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  FAKE_ENTER(cuMipmappedArrayDestroy, CONTEXT);
  FAKE_FIND(fake_mipmap, mipmap, handle, MIPMAP);
  fake_stream_wait_all(mipmap->head.context);
  fake_mipmap_end(mipmap);
  return CUDA_SUCCESS;
}
