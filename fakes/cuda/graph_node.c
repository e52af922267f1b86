/* cuGraphAdd*Node, and changes of nodes' parameters. */
#include "graph.h"

static fake_launch launch_of(CUfunction function, const unsigned *grid, const unsigned *block,
                             unsigned shared, void **parameters, void **extra) {
  return (fake_launch){.function = function,
                       .grid = {grid[0], grid[1], grid[2]},
                       .block = {block[0], block[1], block[2]},
                       .shared = shared,
                       .parameters = parameters,
                       .extra = extra};
}

/* Both versions of the parameters have these members. */
#define LAUNCH_OF(p)                                                                               \
  launch_of((p)->func, (const unsigned[]){(p)->gridDimX, (p)->gridDimY, (p)->gridDimZ},            \
            (const unsigned[]){(p)->blockDimX, (p)->blockDimY, (p)->blockDimZ},                    \
            (p)->sharedMemBytes, (p)->kernelParams, (p)->extra)

#undef cuGraphAddKernelNode
CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  FAKE_ENTER(cuGraphAddKernelNode, CONTEXT);
  FAKE_REQUIRE(nodeParams, INVALID_VALUE, "cuGraphAddKernelNode: the parameters are NULL");
  const fake_launch launch = LAUNCH_OF(nodeParams);
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_kernel(&launch, "cuGraphAddKernelNode", &recipe));
  return fake_graph_add(hGraph, dependencies, numDependencies, &recipe, phGraphNode);
}

static CUresult check_v2(const CUDA_KERNEL_NODE_PARAMS_v2 *parameters, const char *function) {
  FAKE_REQUIRE(parameters, INVALID_VALUE, "%s: the parameters are NULL", function);
  if (!parameters->func && parameters->kern)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "%s: no kernels of libraries", function);
  return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
                                 const CUgraphNode *dependencies, size_t numDependencies,
                                 const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  FAKE_ENTER(cuGraphAddKernelNode_v2, CONTEXT);
  FAKE_TRY(check_v2(nodeParams, "cuGraphAddKernelNode"));
  const fake_launch launch = LAUNCH_OF(nodeParams);
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_kernel(&launch, "cuGraphAddKernelNode", &recipe));
  return fake_graph_add(hGraph, dependencies, numDependencies, &recipe, phGraphNode);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *ret, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
  FAKE_ENTER(cuGraphAddMemcpyNode, CONTEXT);
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_memcpy(copy, context, "cuGraphAddMemcpyNode", &recipe));
  return fake_graph_add(graph, dependencies, count, &recipe, ret);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *ret, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS *fill,
                              CUcontext context) {
  FAKE_ENTER(cuGraphAddMemsetNode, CONTEXT);
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_memset(fill, context, "cuGraphAddMemsetNode", &recipe));
  return fake_graph_add(graph, dependencies, count, &recipe, ret);
}

CUresult cuGraphAddHostNode(CUgraphNode *ret, CUgraph graph, const CUgraphNode *dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS *host) {
  FAKE_ENTER(cuGraphAddHostNode, CONTEXT);
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_host(host, "cuGraphAddHostNode", &recipe));
  return fake_graph_add(graph, dependencies, count, &recipe, ret);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *ret, CUgraph graph, const CUgraphNode *dependencies,
                             size_t count) {
  FAKE_ENTER(cuGraphAddEmptyNode, CONTEXT);
  fake_recipe recipe = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
  return fake_graph_add(graph, dependencies, count, &recipe, ret);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *ret, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t count, CUgraph child_handle) {
  FAKE_ENTER(cuGraphAddChildGraphNode, CONTEXT);
  FAKE_FIND(fake_graph, child, child_handle, GRAPH);
  FAKE_REQUIRE(child_handle != graph, INVALID_VALUE,
               "cuGraphAddChildGraphNode: a graph is no part of itself");
  fake_recipe recipe = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
  FAKE_TRY(fake_graph_copy(child, true, &recipe.child));
  return fake_graph_add(graph, dependencies, count, &recipe, ret);
}

/* Finds the step of an executable graph that was made from a node, which must have this type. */
static CUresult find_step(CUgraphExec exec_handle, CUgraphNode node, CUgraphNodeType type,
                          const char *function, fake_step **ret) {
  FAKE_FIND(fake_graph_exec, exec, exec_handle, GRAPH_EXEC);
  for (size_t i = 0; i < exec->count; i++)
    if (exec->steps[i].node == node && exec->steps[i].recipe.type == type) {
      *ret = &exec->steps[i];
      return CUDA_SUCCESS;
    }
  return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: the graph was made without that node",
                     function);
}

static CUresult set_kernel(fake_step *step, const fake_launch *launch, const char *function) {
  fake_recipe recipe;
  FAKE_TRY(fake_recipe_kernel(launch, function, &recipe));
  if (recipe.context != step->recipe.context) {
    fake_recipe_clear(&recipe);
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: a kernel of another context", function);
  }
  fake_recipe_clear(&step->recipe);
  step->recipe = recipe;
  return CUDA_SUCCESS;
}

#undef cuGraphExecKernelNodeSetParams
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  FAKE_ENTER(cuGraphExecKernelNodeSetParams, CONTEXT);
  FAKE_REQUIRE(nodeParams, INVALID_VALUE, "cuGraphExecKernelNodeSetParams: NULL");
  fake_step *step;
  FAKE_TRY(find_step(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_KERNEL, "cuGraphExecKernelNodeSetParams",
                     &step));
  const fake_launch launch = LAUNCH_OF(nodeParams);
  return set_kernel(step, &launch, "cuGraphExecKernelNodeSetParams");
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                           const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  FAKE_ENTER(cuGraphExecKernelNodeSetParams_v2, CONTEXT);
  FAKE_TRY(check_v2(nodeParams, "cuGraphExecKernelNodeSetParams"));
  fake_step *step;
  FAKE_TRY(find_step(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_KERNEL, "cuGraphExecKernelNodeSetParams",
                     &step));
  const fake_launch launch = LAUNCH_OF(nodeParams);
  return set_kernel(step, &launch, "cuGraphExecKernelNodeSetParams");
}
