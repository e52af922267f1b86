#include "image_transfer.h"

#include "transfer.h"

/* Returns a side moved forward by some slices. */
static image_side slices_on(const image_side *side, size_t slices) {
  image_side moved = *side;
  if (side->array)
    moved.z += slices;
  else
    moved.memory += slices * side->slice_pitch;
  return moved;
}

/* Returns whether the slice pitch is a whole number of rows, as CUDA requires. */
static bool has_whole_slices(const image_side *side) {
  return side->array || !side->row_pitch || side->slice_pitch % side->row_pitch == 0;
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

/* Returns the slice pitch in rows; 0 for an array, whose pitches CUDA knows. */
static size_t count_slice_rows(const image_side *side) {
  return side->row_pitch ? side->slice_pitch / side->row_pitch : 0;
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
      .srcHeight = count_slice_rows(from),
      .dstXInBytes = to->x,
      .dstY = to->y,
      .dstZ = to->z,
      .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : to->type,
      .dstHost = (void *)to->memory,
      .dstDevice = to->memory,
      .dstArray = to->array,
      .dstPitch = to->row_pitch,
      .dstHeight = count_slice_rows(to),
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
    TRY(image_transfer(mode, &there, &here, &slice));
  }
  return PI_SUCCESS;
}

image_side image_side_of(const image_part *part) {
  const image_shape *shape = &part->form->shape;
  return (image_side){.array = part->image,
                      .is_flat = !shape->has_depth && !shape->is_layered,
                      .x = part->box.x * part->form->pixel.size,
                      .y = part->box.y,
                      .z = part->box.z};
}

static image_side memory_side(const image_pitched *memory) {
  return (image_side){.is_flat = true,
                      .type = memory->is_usm ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_HOST,
                      .memory = memory->start,
                      .row_pitch = memory->row_pitch,
                      .slice_pitch = memory->slice_pitch};
}

pi_result image_transfer_now(const image_part *to, const image_pitched *from) {
  const image_transfer_mode at_once = {.is_blocking = true};
  const image_side array = image_side_of(to), memory = memory_side(from);
  const image_extent extent = image_extent_of(to->form, &to->box);
  return image_transfer(&at_once, &array, &memory, &extent);
}

pi_result image_transfer_part(const sink *sink, const image_part *part, const image_pitched *memory,
                              bool is_to_memory) {
  const CUstream stream = sink->command.stream;
  const image_transfer_mode mode = {.stream = stream};
  const image_side array = image_side_of(part), host = memory_side(memory);
  const image_extent extent = image_extent_of(part->form, &part->box);
  if (!transfer_needs_stage(host.memory, sink->is_blocking))
    return is_to_memory ? image_transfer(&mode, &host, &array, &extent)
                        : image_transfer(&mode, &array, &host, &extent);
  const transfer_side side = {host.memory, host.row_pitch, host.slice_pitch};
  const transfer rectangle = {side, side, extent.width, extent.height, extent.depth};
  transfer_staged *staged;
  CUdeviceptr pinned;
  TRY(transfer_stage_begin(sink->context, stream, &rectangle, is_to_memory, &staged, &pinned));
  const image_side dense = {.is_flat = true,
                            .type = CU_MEMORYTYPE_UNIFIED,
                            .memory = pinned,
                            .row_pitch = extent.width,
                            .slice_pitch = extent.width * extent.height};
  return transfer_stage_end(stream, staged, is_to_memory,
                            is_to_memory ? image_transfer(&mode, &dense, &array, &extent)
                                         : image_transfer(&mode, &array, &dense, &extent));
}
