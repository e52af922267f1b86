/*
 * A library that registers its variables when it is loaded, and unregisters them when it is
 * unloaded. FORGETS: it does not unregister them. PLAIN: it registers nothing.
 */
#include <specpi/identifiable.h>

__attribute__((visibility("default"))) int identifiable_variables[2] = {1, 2};

#ifndef PLAIN
__attribute__((constructor)) static void arrive(void) {
  __register_uniquely_identifiable_object(&identifiable_variables[0], "library.first", "library");
  __register_uniquely_identifiable_object(&identifiable_variables[1], "library.second", "library");
}

#ifndef FORGETS
__attribute__((destructor)) static void leave(void) {
  __unregister_uniquely_identifiable_object(&identifiable_variables[0], "library.first", "library");
  __unregister_uniquely_identifiable_object(&identifiable_variables[1], "library.second",
                                            "library");
}
#endif
#endif
