/* Graphs: nodes and their dependencies. */
#include "graph.h"

#include <stdlib.h>

fake_graph *fake_graph_new(fake_context *context, bool owned) {
  return fake_new(FAKE_GRAPH, sizeof(fake_graph), context, owned);
}

static void end_node(fake_node *node) {
  fake_recipe_clear(&node->recipe);
  free(node->dependencies);
  fake_delete(node);
}

void fake_graph_end(fake_graph *graph) {
  for (size_t i = 0; i < graph->count; i++)
    end_node(graph->nodes[i]);
  free(graph->nodes);
  fake_delete(graph);
}

static fake_node *add_node(fake_graph *graph, fake_recipe *recipe) {
  fake_node *node = fake_new(FAKE_NODE, sizeof *node, graph->head.context, true);
  node->graph = graph;
  node->recipe = *recipe;
  graph->nodes = fake_grow(graph->nodes, (graph->count + 1) * sizeof(fake_node *));
  graph->nodes[graph->count++] = node;
  return node;
}

static void depend(fake_node *node, fake_node *on) {
  node->dependencies =
      fake_grow(node->dependencies, (node->dependency_count + 1) * sizeof(fake_node *));
  node->dependencies[node->dependency_count++] = on;
}

static size_t index_of(const fake_graph *graph, const fake_node *node) {
  size_t i = 0;
  while (graph->nodes[i] != node)
    i++;
  return i;
}

CUresult fake_graph_copy(const fake_graph *graph, bool owned, fake_graph **ret) {
  fake_graph *copy = fake_graph_new(graph->head.context, owned);
  for (size_t i = 0; i < graph->count; i++) {
    fake_recipe recipe;
    const CUresult code = fake_recipe_copy(&graph->nodes[i]->recipe, &recipe);
    if (code != CUDA_SUCCESS) {
      fake_graph_end(copy);
      return code;
    }
    add_node(copy, &recipe);
  }
  for (size_t i = 0; i < graph->count; i++)
    for (size_t j = 0; j < graph->nodes[i]->dependency_count; j++)
      depend(copy->nodes[i], copy->nodes[index_of(graph, graph->nodes[i]->dependencies[j])]);
  *ret = copy;
  return CUDA_SUCCESS;
}

static CUresult find_node(CUgraphNode handle, const fake_graph *graph, const char *function,
                          fake_node **ret) {
  fake_node *node = fake_find(handle, FAKE_NODE);
  FAKE_REQUIRE(node && (!graph || node->graph == graph), INVALID_VALUE,
               "%s: %p is no node of the graph", function, (void *)handle);
  *ret = node;
  return CUDA_SUCCESS;
}

static CUresult check_add(CUgraph handle, const CUgraphNode *dependencies, size_t count,
                          const CUgraphNode *ret, fake_graph **graph_ret) {
  FAKE_REQUIRE(ret, INVALID_VALUE, "the place for a graph's node is NULL");
  FAKE_REQUIRE(dependencies || count == 0, INVALID_VALUE, "%zu nodes to depend on, but NULL",
               count);
  fake_graph *graph = fake_find(handle, FAKE_GRAPH);
  FAKE_REQUIRE(graph, INVALID_VALUE, "no live graph is %p", (void *)handle);
  for (size_t i = 0; i < count; i++) {
    fake_node *node;
    FAKE_TRY(find_node(dependencies[i], graph, "a node to depend on", &node));
    for (size_t j = 0; j < i; j++)
      FAKE_REQUIRE(dependencies[j] != dependencies[i], INVALID_VALUE,
                   "a node depends twice on the same one");
  }
  *graph_ret = graph;
  return CUDA_SUCCESS;
}

CUresult fake_graph_add(CUgraph handle, const CUgraphNode *dependencies, size_t count,
                        fake_recipe *recipe, CUgraphNode *ret) {
  fake_graph *graph = NULL;
  const CUresult code = check_add(handle, dependencies, count, ret, &graph);
  if (code != CUDA_SUCCESS) {
    fake_recipe_clear(recipe);
    return code;
  }
  fake_node *node = add_node(graph, recipe);
  for (size_t i = 0; i < count; i++)
    depend(node, fake_find(dependencies[i], FAKE_NODE));
  *ret = FAKE_HANDLE(CUgraphNode, node);
  return CUDA_SUCCESS;
}

static bool is_ready(const fake_node *node, const fake_graph *graph, const bool *done) {
  for (size_t i = 0; i < node->dependency_count; i++)
    if (!done[index_of(graph, node->dependencies[i])])
      return false;
  return true;
}

bool fake_graph_order(const fake_graph *graph, const fake_node **ret) {
  bool *done = fake_allocate(graph->count * sizeof *done);
  size_t count = 0;
  bool moved = true;
  while (moved && count < graph->count) {
    moved = false;
    for (size_t i = graph->count; i-- > 0;)
      if (!done[i] && is_ready(graph->nodes[i], graph, done)) {
        done[i] = true;
        ret[count++] = graph->nodes[i];
        moved = true;
      }
  }
  free(done);
  return count == graph->count;
}

CUresult cuGraphCreate(CUgraph *ret, unsigned int flags) {
  FAKE_ENTER(cuGraphCreate, CONTEXT);
  FAKE_REQUIRE(ret && flags == 0, INVALID_VALUE, "cuGraphCreate: no place, or flags are not 0");
  *ret = FAKE_HANDLE(CUgraph, fake_graph_new(fake_current(), false));
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph handle) {
  FAKE_ENTER(cuGraphDestroy, INIT);
  FAKE_FIND(fake_graph, graph, handle, GRAPH);
  FAKE_REQUIRE(!graph->head.owned, INVALID_VALUE, "cuGraphDestroy: the graph belongs to a node");
  fake_graph_end(graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *ret, CUgraph handle) {
  FAKE_ENTER(cuGraphClone, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuGraphClone: the place for the graph is NULL");
  FAKE_FIND(fake_graph, graph, handle, GRAPH);
  fake_graph *copy;
  FAKE_TRY(fake_graph_copy(graph, false, &copy));
  *ret = FAKE_HANDLE(CUgraph, copy);
  return CUDA_SUCCESS;
}

static void remove_dependency(fake_node *node, const fake_node *on) {
  size_t kept = 0;
  for (size_t i = 0; i < node->dependency_count; i++)
    if (node->dependencies[i] != on)
      node->dependencies[kept++] = node->dependencies[i];
  node->dependency_count = kept;
}

CUresult cuGraphDestroyNode(CUgraphNode handle) {
  FAKE_ENTER(cuGraphDestroyNode, INIT);
  fake_node *node;
  FAKE_TRY(find_node(handle, NULL, "cuGraphDestroyNode", &node));
  fake_graph *graph = node->graph;
  for (size_t i = 0; i < graph->count; i++)
    remove_dependency(graph->nodes[i], node);
  const size_t place = index_of(graph, node);
  memmove(&graph->nodes[place], &graph->nodes[place + 1],
          (graph->count - place - 1) * sizeof *graph->nodes);
  graph->count--;
  end_node(node);
  return CUDA_SUCCESS;
}

static bool depends(const fake_node *node, const fake_node *on) {
  for (size_t i = 0; i < node->dependency_count; i++)
    if (node->dependencies[i] == on)
      return true;
  return false;
}

/*
 * Checks that both lists consist of the graph's nodes. Then checks that each pair is an edge of the
 * graph if there is true, and is no edge if it is false.
 */
static CUresult check_edges(const fake_graph *graph, const CUgraphNode *from, const CUgraphNode *to,
                            size_t count, bool there, const char *function) {
  FAKE_REQUIRE(count == 0 || (from && to), INVALID_VALUE, "%s: NULL", function);
  for (size_t i = 0; i < count; i++) {
    fake_node *first;
    fake_node *second;
    FAKE_TRY(find_node(from[i], graph, function, &first));
    FAKE_TRY(find_node(to[i], graph, function, &second));
    FAKE_REQUIRE(first != second && depends(second, first) == there, INVALID_VALUE,
                 "%s: pair %zu is %s edge of the graph", function, i, there ? "no" : "already an");
  }
  return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t numDependencies) {
  FAKE_ENTER(cuGraphAddDependencies, INIT);
  FAKE_FIND(fake_graph, graph, hGraph, GRAPH);
  FAKE_TRY(check_edges(graph, from, to, numDependencies, false, "cuGraphAddDependencies"));
  for (size_t i = 0; i < numDependencies; i++)
    depend(fake_find(to[i], FAKE_NODE), fake_find(from[i], FAKE_NODE));
  return CUDA_SUCCESS;
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t numDependencies) {
  FAKE_ENTER(cuGraphRemoveDependencies, INIT);
  FAKE_FIND(fake_graph, graph, hGraph, GRAPH);
  FAKE_TRY(check_edges(graph, from, to, numDependencies, true, "cuGraphRemoveDependencies"));
  for (size_t i = 0; i < numDependencies; i++)
    remove_dependency(fake_find(to[i], FAKE_NODE), fake_find(from[i], FAKE_NODE));
  return CUDA_SUCCESS;
}

/* The answer to a query of a list. Programs first pass NULL to get its length. */
typedef struct list {
  CUgraphNode *first, *second; /* NULL to only count */
  size_t room, count;
} list;

static void put_node(list *list, const fake_node *first, const fake_node *second) {
  if (list->count < list->room && list->first)
    list->first[list->count] = FAKE_HANDLE(CUgraphNode, first);
  if (list->count < list->room && list->second)
    list->second[list->count] = FAKE_HANDLE(CUgraphNode, second);
  list->count++;
}

static void answer(list *list, size_t *count) {
  if (list->first)
    for (size_t i = list->count; i < list->room; i++)
      list->first[i] = NULL;
  if (!list->first || list->count < *count)
    *count = list->count;
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  FAKE_ENTER(cuGraphGetNodes, INIT);
  FAKE_FIND(fake_graph, graph, handle, GRAPH);
  FAKE_REQUIRE(count, INVALID_VALUE, "cuGraphGetNodes: count is NULL");
  list list = {.first = nodes, .room = nodes ? *count : 0};
  for (size_t i = 0; i < graph->count; i++)
    put_node(&list, graph->nodes[i], NULL);
  answer(&list, count);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  FAKE_ENTER(cuGraphGetRootNodes, INIT);
  FAKE_FIND(fake_graph, graph, handle, GRAPH);
  FAKE_REQUIRE(count, INVALID_VALUE, "cuGraphGetRootNodes: count is NULL");
  list list = {.first = nodes, .room = nodes ? *count : 0};
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i]->dependency_count == 0)
      put_node(&list, graph->nodes[i], NULL);
  answer(&list, count);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges) {
  FAKE_ENTER(cuGraphGetEdges, INIT);
  FAKE_FIND(fake_graph, graph, hGraph, GRAPH);
  FAKE_REQUIRE(numEdges && !from == !to, INVALID_VALUE, "cuGraphGetEdges: NULL");
  list list = {.first = from, .second = to, .room = from ? *numEdges : 0};
  for (size_t i = 0; i < graph->count; i++)
    for (size_t j = 0; j < graph->nodes[i]->dependency_count; j++)
      put_node(&list, graph->nodes[i]->dependencies[j], graph->nodes[i]);
  answer(&list, numEdges);
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                    size_t *numDependencies) {
  FAKE_ENTER(cuGraphNodeGetDependencies, INIT);
  fake_node *node;
  FAKE_TRY(find_node(hNode, NULL, "cuGraphNodeGetDependencies", &node));
  FAKE_REQUIRE(numDependencies, INVALID_VALUE, "cuGraphNodeGetDependencies: count is NULL");
  list list = {.first = dependencies, .room = dependencies ? *numDependencies : 0};
  for (size_t i = 0; i < node->dependency_count; i++)
    put_node(&list, node->dependencies[i], NULL);
  answer(&list, numDependencies);
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type) {
  FAKE_ENTER(cuGraphNodeGetType, INIT);
  FAKE_REQUIRE(type, INVALID_VALUE, "cuGraphNodeGetType: type is NULL");
  fake_node *node;
  FAKE_TRY(find_node(handle, NULL, "cuGraphNodeGetType", &node));
  *type = node->recipe.type;
  return CUDA_SUCCESS;
}
