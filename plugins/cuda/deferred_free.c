#include "../objects/deferred_free.h"

void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node)) {
  (void)context;
  destroy(node);
}
