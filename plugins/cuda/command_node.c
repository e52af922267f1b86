/* Adds the nodes of a command buffer's graph. The nodes of one command form a chain. */
#include "command_buffer.h"

/* Makes a node that was added to the graph the command's latest one. */
static pi_result added(sink *sink, CUgraphNode node) {
  const pi_result result = command_list_add(&sink->buffer->driver.nodes, &node, sizeof node);
  if (result == PI_SUCCESS)
    sink->command.last = node;
  else
    cu.GraphDestroyNode(node);
  return result;
}

/* Returns the nodes that a new one depends on: the latest one, or the sync points. */
static const CUgraphNode *dependencies(const sink *sink, size_t *count) {
  *count = sink->command.last ? 1 : sink->command.dependency_count;
  return sink->command.last ? &sink->command.last : sink->command.dependencies;
}

pi_result record_empty(sink *sink) {
  size_t count;
  const CUgraphNode *list = dependencies(sink, &count);
  CUgraphNode node;
  CU_TRY(GraphAddEmptyNode, &node, sink->buffer->driver.graph, list, count);
  return added(sink, node);
}

static CUDA_KERNEL_NODE_PARAMS_v1 kernel_parameters(const kernel_launch *launch) {
  return (CUDA_KERNEL_NODE_PARAMS_v1){
      .func = launch_function(launch)->function,
      .gridDimX = launch->groups.count[0],
      .gridDimY = launch->groups.count[1],
      .gridDimZ = launch->groups.count[2],
      .blockDimX = launch->groups.size[0],
      .blockDimY = launch->groups.size[1],
      .blockDimZ = launch->groups.size[2],
      .sharedMemBytes = (unsigned)launch_shared(launch),
      .kernelParams = launch_parameters(launch),
  };
}

pi_result record_kernel(sink *sink, const kernel_launch *launch) {
  const CUDA_KERNEL_NODE_PARAMS_v1 parameters = kernel_parameters(launch);
  size_t count;
  const CUgraphNode *list = dependencies(sink, &count);
  CUgraphNode node;
  CU_TRY(GraphAddKernelNode, &node, sink->buffer->driver.graph, list, count, &parameters);
  return added(sink, node);
}

pi_result driver_command_update(pi_ext_command_buffer buffer, pi_uint32 number,
                                const kernel_launch *launch) {
  const CUgraphNode *commands = buffer->driver.commands.items;
  const CUDA_KERNEL_NODE_PARAMS_v1 parameters = kernel_parameters(launch);
  TRY(cuda_enter(buffer->driver.member));
  CU_TRY(GraphExecKernelNodeSetParams, buffer->driver.exec, commands[number], &parameters);
  return PI_SUCCESS;
}

/* Finds the type of memory. Memory that the driver does not know is pageable host memory. */
static pi_result memory_type(CUdeviceptr pointer, CUmemorytype *ret) {
  CUmemorytype type;
  const CUresult code = cu.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
  if (code != CUDA_ERROR_INVALID_VALUE)
    TRY(cu_result(code, "cuPointerGetAttribute"));
  *ret = code == CUDA_SUCCESS ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_HOST;
  return PI_SUCCESS;
}

/* Adds a copy whose pitches CUDA can express. */
static pi_result add_copy(sink *sink, const transfer *transfer) {
  const transfer_side *from = &transfer->from;
  const transfer_side *to = &transfer->to;
  CUmemorytype from_type;
  CUmemorytype to_type;
  TRY(memory_type(from->start, &from_type));
  TRY(memory_type(to->start, &to_type));
  const CUDA_MEMCPY3D copy = {
      .srcMemoryType = from_type,
      .srcHost = (const void *)(uintptr_t)from->start,
      .srcDevice = from->start,
      .srcPitch = from->row,
      .srcHeight = from->slice / from->row,
      .dstMemoryType = to_type,
      .dstHost = (void *)(uintptr_t)to->start,
      .dstDevice = to->start,
      .dstPitch = to->row,
      .dstHeight = to->slice / to->row,
      .WidthInBytes = transfer->width,
      .Height = transfer->height,
      .Depth = transfer->depth,
  };
  size_t count;
  const CUgraphNode *list = dependencies(sink, &count);
  CUgraphNode node;
  CU_TRY(GraphAddMemcpyNode, &node, sink->buffer->driver.graph, list, count, &copy,
         sink->buffer->driver.member->driver.context);
  return added(sink, node);
}

/* Adds a copy of contiguous bytes: rows of `most` bytes, then a shorter rest. */
static pi_result add_plain(sink *sink, CUdeviceptr to, CUdeviceptr from, size_t size, size_t most) {
  if (size > most) {
    const size_t rows = size / most;
    const transfer whole = {{from, most, most * rows}, {to, most, most * rows}, most, rows, 1};
    TRY(add_copy(sink, &whole));
    from += most * rows;
    to += most * rows;
    size -= most * rows;
  }
  if (size == 0)
    return PI_SUCCESS;
  const transfer rest = transfer_plain(to, from, size);
  return add_copy(sink, &rest);
}

static pi_result add_slice(sink *sink, const transfer *transfer, size_t z, size_t most) {
  const transfer_side from = {transfer->from.start + z * transfer->from.slice, transfer->from.row,
                              transfer->from.row * transfer->height};
  const transfer_side to = {transfer->to.start + z * transfer->to.slice, transfer->to.row,
                            transfer->to.row * transfer->height};
  if (from.row <= most && to.row <= most) {
    const struct transfer slice = {from, to, transfer->width, transfer->height, 1};
    return add_copy(sink, &slice);
  }
  for (size_t y = 0; y < transfer->height; y++)
    TRY(add_plain(sink, to.start + y * to.row, from.start + y * from.row, transfer->width, most));
  return PI_SUCCESS;
}

pi_result record_copy(sink *sink, const transfer *transfer) {
  const size_t most = (size_t)sink->buffer->device->driver.max_pitch;
  if (transfer->width == 0)
    return PI_SUCCESS;
  if (transfer->height == 1 && transfer->depth == 1)
    return add_plain(sink, transfer->to.start, transfer->from.start, transfer->width, most);
  /* CUDA gives the slice pitch in rows and limits the row pitch. */
  if (transfer->from.row <= most && transfer->to.row <= most &&
      transfer->from.slice % transfer->from.row == 0 && transfer->to.slice % transfer->to.row == 0)
    return add_copy(sink, transfer);
  for (size_t z = 0; z < transfer->depth; z++)
    TRY(add_slice(sink, transfer, z, most));
  return PI_SUCCESS;
}

static pi_result add_set(sink *sink, const fill_step *step) {
  const CUDA_MEMSET_NODE_PARAMS set = {
      .dst = step->rows.pointer,
      .pitch = step->rows.height == 1 ? 0 : step->rows.pitch,
      .value = step->value,
      .elementSize = step->element,
      .width = step->rows.width / step->element,
      .height = step->rows.height,
  };
  size_t count;
  const CUgraphNode *list = dependencies(sink, &count);
  CUgraphNode node;
  CU_TRY(GraphAddMemsetNode, &node, sink->buffer->driver.graph, list, count, &set,
         sink->buffer->driver.member->driver.context);
  return added(sink, node);
}

static pi_result add_fill_copy(sink *sink, const fill_step *step) {
  const fill_area *rows = &step->rows;
  const size_t pitch = rows->height == 1 ? rows->width : rows->pitch;
  const transfer copy = {{step->from, pitch, pitch * rows->height},
                         {rows->pointer, pitch, pitch * rows->height},
                         rows->width,
                         rows->height,
                         1};
  return record_copy(sink, &copy);
}

pi_result record_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size) {
  if (rows->width == 0 || rows->height == 0)
    return PI_SUCCESS;
  fill fill;
  fill_begin(&fill, rows, pattern, pattern_size);
  for (fill_step step; fill_next(&fill, &step);)
    TRY(step.is_copy ? add_fill_copy(sink, &step) : add_set(sink, &step));
  return PI_SUCCESS;
}
