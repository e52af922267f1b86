/* Ends a context's objects when the context ends. */
#include "external.h"
#include "graph.h"
#include "module.h"
#include "texture.h"

/* X(KIND, type, function): in an order in which each object ends before the objects it uses. */
#define ENDS(X)                                                                                    \
  X(GRAPH_EXEC, fake_graph_exec, fake_graph_exec_end)                                              \
  X(GRAPH, fake_graph, fake_graph_end)                                                             \
  X(EVENT, fake_event, fake_event_end)                                                             \
  X(LINK, fake_link, fake_link_end)                                                                \
  X(MODULE, fake_module, fake_module_end)                                                          \
  X(TEXTURE, fake_texture, fake_texture_end)                                                       \
  X(SURFACE, fake_texture, fake_texture_end)                                                       \
  X(MIPMAP, fake_mipmap, fake_mipmap_end)                                                          \
  X(ARRAY, fake_array, fake_array_end)                                                             \
  X(MEMORY, fake_memory, fake_memory_end)                                                          \
  X(HOST, fake_memory, fake_memory_end)                                                            \
  X(REGISTERED, fake_memory, fake_memory_end)                                                      \
  X(MANAGED, fake_memory, fake_memory_end)                                                         \
  X(EXTERNAL_SEMAPHORE, fake_semaphore, fake_semaphore_end)                                        \
  X(EXTERNAL_MEMORY, fake_external, fake_external_end)

#define DEFINE(KIND, type, function)                                                               \
  static void end_##KIND(fake_object *object, void *user) {                                        \
    (void)user;                                                                                    \
    if (object->kind == FAKE_##KIND && !object->owned)                                             \
      function((type *)(void *)object);                                                            \
  }
ENDS(DEFINE)
#undef DEFINE

void fake_end_objects(fake_context *context) {
#define END(KIND, type, function) fake_each(context, end_##KIND, NULL);
  ENDS(END)
#undef END
}
