#include "build.h"

#include "driver.h"

#include <stdlib.h>

pi_result build_create(pi_context context, program_build **ret) {
  program_build *build = calloc(1, sizeof *build);
  REQUIRE_MEMORY(build, "a build");
  atomic_init(&build->references, 1);
  build->context = context;
  context_retain(context);
  *ret = build;
  return PI_SUCCESS;
}

static void destroy_build(deferred *node) {
  program_build *build = OWNER_OF(node, program_build, deferred);
  driver_build_destroy(build);
  free(build);
}

/* Gives up a reference; returns whether it was the last one. */
static bool drop_build(program_build *build) {
  return atomic_fetch_sub_explicit(&build->references, 1, memory_order_acq_rel) == 1;
}

void build_release(program_build *build) {
  if (!build || !drop_build(build))
    return;
  const pi_context context = build->context;
  const bool is_shared = build->is_shared;
  deferred_free(context, &build->deferred, destroy_build);
  if (!is_shared)
    context_release(context);
}

void build_share(program_build *build) {
  build->is_shared = true;
  context_release(build->context);
}

void build_end(program_build *build) {
  if (drop_build(build))
    destroy_build(&build->deferred);
}
