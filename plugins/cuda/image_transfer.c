#include "image_transfer.h"

#include "../objects/usm.h"
#include "transfer.h"

/* The same side, some slices further on. */
static image_side slices_on(const image_side *side, size_t slices) {
  image_side moved = *side;
  if (side->array)
    moved.z += slices;
  else
    moved.memory += slices * side->slice_pitch;
  return moved;
}

/* Whether the driver can say how far slices are from each other: it counts rows. */
static bool has_whole_slices(const image_side *side) {
  return side->array || side->slice_pitch % side->row_pitch == 0;
}

static pi_result copy_flat(const image_transfer_mode *mode, const image_side *to,
                           const image_side *from, const image_extent *extent) {
  const CUDA_MEMCPY2D copy = {
      .srcXInBytes = from->x,
      .srcY = from->y,
      .srcMemoryType = from->array ? CU_MEMORYTYPE_ARRAY : from->type,
      .srcHost = (const void *)from->memory,
      .srcDevice = from->memory,
      .srcArray = from->array,
      .srcPitch = from->row_pitch,
      .dstXInBytes = to->x,
      .dstY = to->y,
      .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : to->type,
      .dstHost = (void *)to->memory,
      .dstDevice = to->memory,
      .dstArray = to->array,
      .dstPitch = to->row_pitch,
      .WidthInBytes = extent->width,
      .Height = extent->height,
  };
  if (mode->is_blocking)
    CU_TRY(Memcpy2D, &copy);
  else
    CU_TRY(Memcpy2DAsync, &copy, mode->stream);
  return PI_SUCCESS;
}

static pi_result copy_deep(const image_transfer_mode *mode, const image_side *to,
                           const image_side *from, const image_extent *extent) {
  const CUDA_MEMCPY3D copy = {
      .srcXInBytes = from->x,
      .srcY = from->y,
      .srcZ = from->z,
      .srcMemoryType = from->array ? CU_MEMORYTYPE_ARRAY : from->type,
      .srcHost = (const void *)from->memory,
      .srcDevice = from->memory,
      .srcArray = from->array,
      .srcPitch = from->row_pitch,
      .srcHeight = from->array ? 0 : from->slice_pitch / from->row_pitch,
      .dstXInBytes = to->x,
      .dstY = to->y,
      .dstZ = to->z,
      .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : to->type,
      .dstHost = (void *)to->memory,
      .dstDevice = to->memory,
      .dstArray = to->array,
      .dstPitch = to->row_pitch,
      .dstHeight = to->array ? 0 : to->slice_pitch / to->row_pitch,
      .WidthInBytes = extent->width,
      .Height = extent->height,
      .Depth = extent->depth,
  };
  if (mode->is_blocking)
    CU_TRY(Memcpy3D, &copy);
  else
    CU_TRY(Memcpy3DAsync, &copy, mode->stream);
  return PI_SUCCESS;
}

pi_result image_transfer(const image_transfer_mode *mode, const image_side *to,
                         const image_side *from, const image_extent *extent) {
  if (extent->depth == 1 && to->is_flat && from->is_flat)
    return copy_flat(mode, to, from, extent);
  if (extent->depth == 1 || (has_whole_slices(to) && has_whole_slices(from)))
    return copy_deep(mode, to, from, extent);
  const image_extent slice = {extent->width, extent->height, 1};
  for (size_t z = 0; z < extent->depth; z++) {
    const image_side there = slices_on(to, z), here = slices_on(from, z);
    PI_TRY(image_transfer(mode, &there, &here, &slice));
  }
  return PI_SUCCESS;
}

pi_result image_transfer_host(pi_context context, CUstream stream, const image_side *device,
                              const image_side *host, const image_extent *extent, bool is_to_host,
                              bool blocking) {
  const image_transfer_mode mode = {.stream = stream};
  if (!transfer_needs_stage(host->memory, blocking))
    return is_to_host ? image_transfer(&mode, host, device, extent)
                      : image_transfer(&mode, device, host, extent);
  const transfer_side side = {host->memory, host->row_pitch, host->slice_pitch};
  const transfer rectangle = {side, side, extent->width, extent->height, extent->depth};
  transfer_staged *staged;
  CUdeviceptr pinned;
  PI_TRY(transfer_stage_begin(context, stream, &rectangle, is_to_host, &staged, &pinned));
  const image_side dense = {.is_flat = true,
                            .type = CU_MEMORYTYPE_UNIFIED,
                            .memory = pinned,
                            .row_pitch = extent->width,
                            .slice_pitch = extent->width * extent->height};
  return transfer_stage_end(stream, staged, is_to_host,
                            is_to_host ? image_transfer(&mode, &dense, device, extent)
                                       : image_transfer(&mode, device, &dense, extent));
}

pi_result image_memory_side(pi_context context, const char *name, const void *pointer, size_t size,
                            size_t row_pitch, size_t slice_pitch, image_side *ret) {
  usm_range range;
  PI_TRY(usm_check(context, name, pointer, size, &range));
  *ret = (image_side){.is_flat = true,
                      .type = range.type == PI_MEM_TYPE_UNKNOWN ? CU_MEMORYTYPE_HOST
                                                                : CU_MEMORYTYPE_UNIFIED,
                      .memory = (uintptr_t)pointer,
                      .row_pitch = row_pitch,
                      .slice_pitch = slice_pitch};
  return PI_SUCCESS;
}
