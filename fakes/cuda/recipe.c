/* The work of a graph's nodes. */
#include "graph.h"

#include <stdlib.h>

void fake_recipe_clear(fake_recipe *recipe) {
  free(recipe->launch.parameters);
  free(recipe->bytes);
  if (recipe->child)
    fake_graph_end(recipe->child);
  *recipe = (fake_recipe){.type = CU_GRAPH_NODE_TYPE_EMPTY};
}

/* Copies the values of a launch's parameters into the recipe. */
static void keep_parameters(const ptx_entry *entry, const unsigned char *values,
                            fake_recipe *recipe) {
  recipe->bytes = fake_copy(values, entry->parameter_bytes);
  recipe->launch.extra = NULL;
  recipe->launch.parameters = fake_allocate(entry->parameter_count * sizeof(void *));
  for (uint32_t i = 0; i < entry->parameter_count; i++)
    recipe->launch.parameters[i] = recipe->bytes + entry->parameters[i].offset;
}

CUresult fake_recipe_kernel(const fake_launch *launch, const char *caller, fake_recipe *ret) {
  const fake_function *function = fake_find(launch->function, FAKE_FUNCTION);
  FAKE_REQUIRE(function, INVALID_HANDLE, "%s: no function of a loaded module is %p", caller,
               (void *)launch->function);
  fake_task *task;
  FAKE_TRY(fake_launch_task(launch, function->head.context, caller, &task));
  fake_recipe recipe = {
      .type = CU_GRAPH_NODE_TYPE_KERNEL, .launch = *launch, .context = function->head.context};
  keep_parameters(function->entry, fake_launch_parameters(task), &recipe);
  fake_task_free(task);
  *ret = recipe;
  return CUDA_SUCCESS;
}

static CUresult find_context(CUcontext handle, const char *caller, fake_context **ret) {
  *ret = handle ? fake_find(handle, FAKE_CONTEXT) : fake_current();
  FAKE_REQUIRE(*ret, INVALID_CONTEXT, "%s: no live context is %p", caller, (void *)handle);
  return CUDA_SUCCESS;
}

CUresult fake_recipe_memcpy(const CUDA_MEMCPY3D *copy, CUcontext context, const char *caller,
                            fake_recipe *ret) {
  fake_recipe recipe = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
  FAKE_TRY(find_context(context, caller, &recipe.context));
  fake_shape shape;
  FAKE_TRY(fake_shape_find(copy, caller, &shape));
  recipe.copy = *copy;
  *ret = recipe;
  return CUDA_SUCCESS;
}

static CUresult find_fill(const CUDA_MEMSET_NODE_PARAMS *fill, const char *caller, fake_fill *ret) {
  return fake_fill_find(fill->dst, fill->pitch, fill->value, fill->elementSize, fill->width,
                        fill->height, caller, ret);
}

CUresult fake_recipe_memset(const CUDA_MEMSET_NODE_PARAMS *fill, CUcontext context,
                            const char *caller, fake_recipe *ret) {
  FAKE_REQUIRE(fill, INVALID_VALUE, "%s: the description is NULL", caller);
  fake_recipe recipe = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .fill = *fill};
  FAKE_TRY(find_context(context, caller, &recipe.context));
  FAKE_REQUIRE(fill->width != 0 && fill->height != 0, INVALID_VALUE, "%s: nothing to fill", caller);
  fake_fill found;
  FAKE_TRY(find_fill(fill, caller, &found));
  *ret = recipe;
  return CUDA_SUCCESS;
}

CUresult fake_recipe_host(const CUDA_HOST_NODE_PARAMS *host, const char *caller, fake_recipe *ret) {
  FAKE_REQUIRE(host && host->fn, INVALID_VALUE, "%s: no function", caller);
  *ret = (fake_recipe){.type = CU_GRAPH_NODE_TYPE_HOST, .host = *host};
  return CUDA_SUCCESS;
}

CUresult fake_recipe_copy(const fake_recipe *recipe, fake_recipe *ret) {
  fake_recipe copy = *recipe;
  copy.child = NULL;
  if (recipe->type == CU_GRAPH_NODE_TYPE_KERNEL) {
    const fake_function *function = fake_find(recipe->launch.function, FAKE_FUNCTION);
    FAKE_REQUIRE(function, INVALID_HANDLE, "a kernel node's module was unloaded");
    keep_parameters(function->entry, recipe->bytes, &copy);
  }
  if (recipe->child)
    FAKE_TRY(fake_graph_copy(recipe->child, true, &copy.child));
  *ret = copy;
  return CUDA_SUCCESS;
}

CUresult fake_recipe_task(const fake_recipe *recipe, fake_context *context, fake_task **ret) {
  fake_shape shape;
  fake_fill fill;
  *ret = NULL;
  switch ((int)recipe->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return fake_launch_task(&recipe->launch, recipe->context, "cuGraphLaunch", ret);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    FAKE_TRY(fake_shape_find(&recipe->copy, "cuGraphLaunch", &shape));
    *ret = fake_copy_task(recipe->context, &shape);
    return CUDA_SUCCESS;
  case CU_GRAPH_NODE_TYPE_MEMSET:
    FAKE_TRY(find_fill(&recipe->fill, "cuGraphLaunch", &fill));
    *ret = fake_fill_task(recipe->context, &fill);
    return CUDA_SUCCESS;
  case CU_GRAPH_NODE_TYPE_HOST:
    *ret = fake_host_task(context, recipe->host.fn, recipe->host.userData);
    return CUDA_SUCCESS;
  default:
    return CUDA_SUCCESS;
  }
}
