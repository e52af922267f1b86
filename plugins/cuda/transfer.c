#include "transfer.h"

/* Copies contiguous bytes. */
static pi_result copy_plain(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t size) {
  CU_TRY(MemcpyAsync, to, from, size, stream);
  return PI_SUCCESS;
}

/* Copies one slice, which starts at from and to. */
static pi_result copy_slice(pi_context context, CUstream stream, const transfer *transfer,
                            CUdeviceptr to, CUdeviceptr from) {
  const size_t most = (size_t)context->devices[0]->driver.max_pitch;
  if (transfer->from.row > most || transfer->to.row > most) {
    for (size_t y = 0; y < transfer->height; y++)
      TRY(copy_plain(stream, to + y * transfer->to.row, from + y * transfer->from.row,
                     transfer->width));
    return PI_SUCCESS;
  }
  const CUDA_MEMCPY2D copy = {
      .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
      .srcDevice = from,
      .srcPitch = transfer->from.row,
      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
      .dstDevice = to,
      .dstPitch = transfer->to.row,
      .WidthInBytes = transfer->width,
      .Height = transfer->height,
  };
  CU_TRY(Memcpy2DAsync, &copy, stream);
  return PI_SUCCESS;
}

static pi_result copy_slices(CUstream stream, const transfer *transfer) {
  const CUDA_MEMCPY3D copy = {
      .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
      .srcDevice = transfer->from.start,
      .srcPitch = transfer->from.row,
      .srcHeight = transfer->from.slice / transfer->from.row,
      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
      .dstDevice = transfer->to.start,
      .dstPitch = transfer->to.row,
      .dstHeight = transfer->to.slice / transfer->to.row,
      .WidthInBytes = transfer->width,
      .Height = transfer->height,
      .Depth = transfer->depth,
  };
  CU_TRY(Memcpy3DAsync, &copy, stream);
  return PI_SUCCESS;
}

/* CUDA gives the slice pitch in rows and limits the row pitch. */
static bool is_regular(pi_context context, const transfer_side *side) {
  return side->slice % side->row == 0 && side->row <= (size_t)context->devices[0]->driver.max_pitch;
}

pi_result transfer_enqueue(pi_context context, CUstream stream, const transfer *transfer) {
  const transfer_side *from = &transfer->from, *to = &transfer->to;
  if (transfer->width == 0)
    return PI_SUCCESS;
  if (transfer_is_dense(transfer, from) && transfer_is_dense(transfer, to))
    return copy_plain(stream, to->start, from->start,
                      transfer->width * transfer->height * transfer->depth);
  if (transfer->depth > 1 && is_regular(context, from) && is_regular(context, to))
    return copy_slices(stream, transfer);
  for (size_t z = 0; z < transfer->depth; z++)
    TRY(copy_slice(context, stream, transfer, to->start + z * to->slice,
                   from->start + z * from->slice));
  return PI_SUCCESS;
}
