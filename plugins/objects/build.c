#include "build.h"

#include "driver.h"

#include <stdlib.h>

pi_result build_create(pi_context context, program_build **ret) {
  program_build *build = calloc(1, sizeof *build);
  PI_REQUIRE(build, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  atomic_init(&build->references, 1);
  build->context = context;
  context_retain(context);
  *ret = build;
  return PI_SUCCESS;
}

static void destroy_build(deferred *node) {
  program_build *build = DEFERRED_OWNER(node, program_build, deferred);
  driver_build_destroy(build);
  free(build);
}

void build_release(program_build *build) {
  if (!build || atomic_fetch_sub_explicit(&build->references, 1, memory_order_acq_rel) != 1)
    return;
  const pi_context context = build->context;
  deferred_free(context, &build->deferred, destroy_build);
  context_release(context);
}
