/* Graphs of the fake CUDA driver. */
#ifndef SPECPI_TEST_FAKE_CUDA_GRAPH_H
#define SPECPI_TEST_FAKE_CUDA_GRAPH_H

#include "module.h"

typedef struct fake_graph fake_graph;
typedef struct fake_node fake_node;

/*
 * The work of a node, as the program described it. Each launch makes a new task from it with all
 * checks, so that it finds memory that was freed in the meantime.
 */
typedef struct fake_recipe {
  CUgraphNodeType type;
  fake_launch launch;   /* with copied parameters */
  unsigned char *bytes; /* the values of the parameters */
  CUDA_MEMCPY3D copy;
  CUDA_MEMSET_NODE_PARAMS fill;
  CUDA_HOST_NODE_PARAMS host;
  fake_context *context; /* in which it runs; NULL if it does not matter */
  fake_graph *child;     /* a copy owned by the recipe */
} fake_recipe;

CUresult fake_recipe_copy(const fake_recipe *recipe, fake_recipe *ret);
void fake_recipe_clear(fake_recipe *recipe);
/* Make recipes from a program's descriptions, with all checks. */
CUresult fake_recipe_kernel(const fake_launch *launch, const char *caller, fake_recipe *ret);
CUresult fake_recipe_memcpy(const CUDA_MEMCPY3D *copy, CUcontext context, const char *caller,
                            fake_recipe *ret);
CUresult fake_recipe_memset(const CUDA_MEMSET_NODE_PARAMS *fill, CUcontext context,
                            const char *caller, fake_recipe *ret);
CUresult fake_recipe_host(const CUDA_HOST_NODE_PARAMS *host, const char *caller, fake_recipe *ret);
/* Makes a task from a recipe, to launch it in a context. *ret is NULL if there is nothing to do. */
CUresult fake_recipe_task(const fake_recipe *recipe, fake_context *context, fake_task **ret);

struct fake_node {
  fake_object head;
  fake_graph *graph;
  fake_recipe recipe;
  size_t dependency_count;
  fake_node **dependencies;
};

struct fake_graph {
  fake_object head;
  size_t count;
  fake_node **nodes; /* in the order in which they were added */
};

fake_graph *fake_graph_new(fake_context *context, bool owned);
void fake_graph_end(fake_graph *graph);
/* Copies a graph with its nodes, in the same order. */
CUresult fake_graph_copy(const fake_graph *graph, bool owned, fake_graph **ret);
/* Adds a node. Takes over the recipe, also on failure. */
CUresult fake_graph_add(CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        fake_recipe *recipe, CUgraphNode *ret);
/*
 * Orders the nodes so that each comes after its dependencies. Among the nodes that are possible,
 * the one added last comes first, so that a forgotten dependency shows. Returns false if there is a
 * cycle.
 */
bool fake_graph_order(const fake_graph *graph, const fake_node **ret);

/* One step of an executable graph. */
typedef struct fake_step {
  CUgraphNode node; /* from which it was made */
  fake_recipe recipe;
} fake_step;

typedef struct fake_graph_exec {
  fake_object head;
  unsigned long long flags;
  size_t count;
  fake_step *steps;
  fake_point *last; /* end of the latest launch; NULL if there was none */
} fake_graph_exec;

void fake_graph_exec_end(fake_graph_exec *exec);

#endif
