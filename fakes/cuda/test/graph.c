/* Graphs: nodes, order, launches, changes and refusals. */
#include "code.h"

typedef struct world {
  CUmodule module;
  CUfunction add;
  CUdeviceptr out;
  CUgraph graph;
} world;

static world make_world(void) {
  world world;
  world.add = load(&world.module, add_text, "add");
  ok(cuMemAlloc(&world.out, 64));
  ok(cuGraphCreate(&world.graph, 0));
  return world;
}

static void end_world(const world *world) {
  ok(cuGraphDestroy(world->graph));
  ok(cuMemFree(world->out));
  ok(cuModuleUnload(world->module));
}

static CUDA_KERNEL_NODE_PARAMS_v2 kernel_of(const world *world, void **parameters) {
  return (CUDA_KERNEL_NODE_PARAMS_v2){.func = world->add,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 16,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
}

static uint32_t word_of(const world *world) {
  uint32_t words[16];
  ok(cuMemcpyDtoH(words, world->out, sizeof words));
  for (int i = 1; i < 16; i++)
    assert_int_equal(words[i], words[0]);
  return words[0];
}

static void CUDA_CB note(void *user) {
  ++*(int *)user;
}

/* Fill, then kernel, then copy to the host; and an independent host function. */
CONTEXT_TEST(nodes_run_after_their_dependencies) {
  const world world = make_world();
  CUgraphNode fill;
  CUgraphNode kernel;
  CUgraphNode copy;
  CUgraphNode host;
  CUgraphNode empty;
  CUgraphExec exec;
  uint32_t words[16] = {0};
  uint32_t n = 5;
  int notes = 0;
  CUdeviceptr out = world.out;
  void *parameters[] = {&out, &n};
  const CUDA_MEMSET_NODE_PARAMS seven = {world.out, 0, 7, 4, 16, 1};
  ok(cuGraphAddMemsetNode(&fill, world.graph, NULL, 0, &seven, NULL));
  const CUDA_KERNEL_NODE_PARAMS_v2 params = kernel_of(&world, parameters);
  ok(cuGraphAddKernelNode_v2(&kernel, world.graph, &fill, 1, &params));
  const CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                              .srcDevice = world.out,
                              .dstMemoryType = CU_MEMORYTYPE_HOST,
                              .dstHost = words,
                              .WidthInBytes = sizeof words,
                              .Height = 1,
                              .Depth = 1};
  ok(cuGraphAddMemcpyNode(&copy, world.graph, &kernel, 1, &back, NULL));
  const CUDA_HOST_NODE_PARAMS call = {note, &notes};
  ok(cuGraphAddHostNode(&host, world.graph, NULL, 0, &call));
  const CUgraphNode both[] = {copy, host};
  ok(cuGraphAddEmptyNode(&empty, world.graph, both, 2));
  ok(cuGraphInstantiateWithFlags(&exec, world.graph, 0));
  /* The node has copies of the parameters, so this has no effect. */
  n = 100;
  ok(cuGraphLaunch(exec, NULL));
  ok(cuStreamSynchronize(NULL));
  assert_int_equal(words[0], 12);
  assert_int_equal(words[15], 12);
  assert_int_equal(notes, 1);
  /* Changes the parameters in the executable graph only. */
  ok(cuGraphExecKernelNodeSetParams_v2(exec, kernel, &params));
  ok(cuGraphLaunch(exec, NULL));
  ok(cuStreamSynchronize(NULL));
  assert_int_equal(words[3], 107);
  assert_int_equal(notes, 2);
  CUgraphNodeType type;
  ok(cuGraphNodeGetType(copy, &type));
  assert_int_equal(type, CU_GRAPH_NODE_TYPE_MEMCPY);
  size_t count = 0;
  ok(cuGraphGetNodes(world.graph, NULL, &count));
  assert_int_equal(count, 5);
  ok(cuGraphGetRootNodes(world.graph, NULL, &count));
  assert_int_equal(count, 2);
  ok(cuGraphGetEdges(world.graph, NULL, NULL, &count));
  assert_int_equal(count, 4);
  CUgraphNode found[8];
  count = 8;
  ok(cuGraphNodeGetDependencies(empty, found, &count));
  assert_int_equal(count, 2);
  assert_ptr_equal(found[1], host);
  ok(cuGraphExecDestroy(exec));
  expect(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, NULL));
  end_world(&world);
}

/* Launches of one graph in different streams run one after another. */
CONTEXT_TEST(child_graphs_run_once_in_each_launch) {
  const world world = make_world();
  CUgraph child;
  CUgraphNode first;
  CUgraphNode inner;
  CUgraphNode second;
  CUgraphExec exec;
  CUstream stream;
  CUdeviceptr out = world.out;
  uint32_t n = 1;
  void *parameters[] = {&out, &n};
  const CUDA_KERNEL_NODE_PARAMS_v2 params = kernel_of(&world, parameters);
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ok(cuMemsetD32(world.out, 0, 16));
  ok(cuGraphCreate(&child, 0));
  ok(cuGraphAddKernelNode_v2(&first, child, NULL, 0, &params));
  ok(cuGraphAddKernelNode_v2(&second, child, &first, 1, &params));
  ok(cuGraphAddChildGraphNode(&inner, world.graph, NULL, 0, child));
  ok(cuGraphAddKernelNode_v2(&second, world.graph, &inner, 1, &params));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuGraphAddChildGraphNode(&inner, world.graph, NULL, 0, world.graph));
  ok(cuGraphDestroy(child));
  ok(cuGraphInstantiateWithFlags(&exec, world.graph, 0));
  for (int i = 0; i < 10; i++)
    ok(cuGraphLaunch(exec, i % 2 == 0 ? stream : NULL));
  /* The launch of a destroyed executable graph still completes. */
  ok(cuGraphExecDestroy(exec));
  ok(cuCtxSynchronize());
  assert_int_equal(word_of(&world), 30);
  CUgraph clone;
  ok(cuGraphClone(&clone, world.graph));
  ok(cuGraphInstantiateWithFlags(&exec, clone, 0));
  ok(cuGraphDestroy(clone));
  ok(cuGraphLaunch(exec, stream));
  ok(cuStreamSynchronize(stream));
  assert_int_equal(word_of(&world), 33);
  ok(cuGraphExecDestroy(exec));
  ok(cuStreamDestroy(stream));
  end_world(&world);
}

CONTEXT_TEST(wrong_nodes_edges_and_cycles_are_refused) {
  const world world = make_world();
  CUgraph other;
  CUgraphNode first;
  CUgraphNode second;
  CUgraphNode foreign;
  CUgraphExec exec;
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&other, 1));
  ok(cuGraphCreate(&other, 0));
  ok(cuGraphAddEmptyNode(&foreign, other, NULL, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&first, world.graph, &foreign, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&first, (CUgraph)&other, NULL, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(NULL, world.graph, NULL, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&first, world.graph, NULL, 1));
  ok(cuGraphAddEmptyNode(&first, world.graph, NULL, 0));
  const CUgraphNode twice[] = {first, first};
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&second, world.graph, twice, 2));
  ok(cuGraphAddEmptyNode(&second, world.graph, &first, 1));
  /* A cycle. */
  ok(cuGraphAddDependencies(world.graph, &second, &first, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, world.graph, 0));
  ok(cuGraphRemoveDependencies(world.graph, &second, &first, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies(world.graph, &second, &first, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(world.graph, &first, &second, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, world.graph, 1 << 20));
  ok(cuGraphDestroyNode(second));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(second));
  const CUDA_MEMSET_NODE_PARAMS outside = {world.out, 0, 7, 4, 17, 1};
  expect(CUDA_ERROR_INVALID_VALUE,
         cuGraphAddMemsetNode(&second, world.graph, NULL, 0, &outside, NULL));
  CUDA_KERNEL_NODE_PARAMS_v2 params = kernel_of(&world, NULL);
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&second, world.graph, NULL, 0, &params));
  params.func = NULL;
  expect(CUDA_ERROR_INVALID_HANDLE,
         cuGraphAddKernelNode_v2(&second, world.graph, NULL, 0, &params));
  ok(cuGraphInstantiateWithFlags(&exec, world.graph, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuGraphExecKernelNodeSetParams_v2(exec, first, &params));
  ok(cuGraphExecDestroy(exec));
  expect(CUDA_ERROR_INVALID_HANDLE, cuGraphExecDestroy(exec));
  ok(cuGraphDestroy(other));
  expect(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy(other));
  end_world(&world);
}

CONTEXT_TEST(a_graph_that_uses_freed_memory_is_refused) {
  const world world = make_world();
  CUdeviceptr other;
  CUgraphNode node;
  CUgraphExec exec;
  ok(cuMemAlloc(&other, 64));
  const CUDA_MEMSET_NODE_PARAMS fill = {other, 0, 7, 4, 16, 1};
  ok(cuGraphAddMemsetNode(&node, world.graph, NULL, 0, &fill, NULL));
  ok(cuGraphInstantiateWithFlags(&exec, world.graph, 0));
  ok(cuGraphLaunch(exec, NULL));
  ok(cuMemFree(other));
  refused(CUDA_ERROR_INVALID_VALUE, "nothing is allocated", cuGraphLaunch(exec, NULL));
  ok(cuGraphExecDestroy(exec));
  end_world(&world);
}
