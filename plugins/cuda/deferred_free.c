#include "../objects/deferred_free.h"

void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node)) {
  (void)context;
  destroy(node);
}

void deferred_free_due(pi_context context) {
  (void)context;
}
