/* Executable graphs. A launch runs one node after another, each after its dependencies. */
#include "graph.h"

#include <stdlib.h>

void fake_graph_exec_end(fake_graph_exec *exec) {
  for (size_t i = 0; i < exec->count; i++)
    fake_recipe_clear(&exec->steps[i].recipe);
  free(exec->steps);
  fake_point_release(exec->last);
  fake_delete(exec);
}

/* Appends the steps of a graph, with a child graph's steps in the place of its node. */
static CUresult append_nodes(fake_graph_exec *exec, const fake_graph *graph) {
  const fake_node **order = fake_allocate(graph->count * sizeof *order);
  CUresult code = CUDA_SUCCESS;
  if (!fake_graph_order(graph, order))
    code = fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuGraphInstantiate: nodes depend on each other");
  for (size_t i = 0; i < graph->count && code == CUDA_SUCCESS; i++) {
    if (order[i]->recipe.child) {
      code = append_nodes(exec, order[i]->recipe.child);
      continue;
    }
    exec->steps = fake_grow(exec->steps, (exec->count + 1) * sizeof *exec->steps);
    fake_step *step = &exec->steps[exec->count];
    *step = (fake_step){.node = FAKE_HANDLE(CUgraphNode, order[i])};
    code = fake_recipe_copy(&order[i]->recipe, &step->recipe);
    if (code == CUDA_SUCCESS)
      exec->count++;
  }
  free(order);
  return code;
}

static CUresult instantiate(CUgraphExec *ret, CUgraph handle, unsigned long long flags) {
  const unsigned long long known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuGraphInstantiate: the place for the graph is NULL");
  FAKE_REQUIRE((flags & ~(known | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)) == 0, INVALID_VALUE,
               "cuGraphInstantiate: unknown flags in 0x%llx", flags);
  if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuGraphInstantiate: no launches by kernels");
  FAKE_FIND(fake_graph, graph, handle, GRAPH);
  fake_graph_exec *exec = fake_new(FAKE_GRAPH_EXEC, sizeof *exec, fake_current(), false);
  exec->flags = flags;
  const CUresult code = append_nodes(exec, graph);
  if (code != CUDA_SUCCESS) {
    fake_graph_exec_end(exec);
    return code;
  }
  *ret = FAKE_HANDLE(CUgraphExec, exec);
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *ret, CUgraph graph, unsigned long long flags) {
  FAKE_ENTER(cuGraphInstantiateWithFlags, CONTEXT);
  return instantiate(ret, graph, flags);
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  FAKE_ENTER(cuGraphExecDestroy, INIT);
  FAKE_FIND(fake_graph_exec, exec, handle, GRAPH_EXEC);
  fake_graph_exec_end(exec);
  return CUDA_SUCCESS;
}

/* All tasks of one launch. */
typedef struct graph_task {
  fake_task task;
  size_t count;
  fake_task **tasks;
} graph_task;

static CUresult run_graph(fake_task *task) {
  const graph_task *graph = (graph_task *)task;
  for (size_t i = 0; i < graph->count; i++)
    FAKE_TRY(graph->tasks[i]->run(graph->tasks[i]));
  return CUDA_SUCCESS;
}

static void end_graph(fake_task *task) {
  const graph_task *graph = (graph_task *)task;
  for (size_t i = 0; i < graph->count; i++)
    fake_task_free(graph->tasks[i]);
  free(graph->tasks);
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  FAKE_ENTER(cuGraphLaunch, CONTEXT);
  FAKE_FIND(fake_graph_exec, exec, handle, GRAPH_EXEC);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(stream_handle, "cuGraphLaunch", &stream));
  fake_context *context = stream->head.context;
  graph_task *graph =
      fake_task_new(sizeof *graph, CU_GRAPH_NODE_TYPE_GRAPH, context, run_graph, end_graph);
  graph->tasks = fake_allocate(exec->count * sizeof(fake_task *));
  for (size_t i = 0; i < exec->count; i++) {
    fake_task *task;
    const CUresult code = fake_recipe_task(&exec->steps[i].recipe, context, &task);
    if (code != CUDA_SUCCESS) {
      fake_task_free(graph);
      return code;
    }
    if (task)
      graph->tasks[graph->count++] = task;
  }
  /* Waits for the last launch, because launches of one executable graph do not overlap. */
  fake_point *point = fake_submit(stream, &graph->task, exec->last);
  fake_point_release(exec->last);
  exec->last = point;
  return CUDA_SUCCESS;
}
