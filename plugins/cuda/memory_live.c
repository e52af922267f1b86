#include "memory_live.h"

#include "../base/side_table.h"
#include "backend.h"

#include <string.h>

static side_table objects;
static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;

static bool are_listed(void) {
  return cuda_backend_chosen()->backend == PI_EXT_PLATFORM_BACKEND_OPENCL;
}

pi_result memory_live_add(pi_mem mem) {
  if (!are_listed())
    return PI_SUCCESS;
  pthread_mutex_lock(&objects_lock);
  const bool put = side_table_put(&objects, mem, mem);
  pthread_mutex_unlock(&objects_lock);
  REQUIRE_MEMORY(put, "a list of memory objects");
  return PI_SUCCESS;
}

void memory_live_remove(pi_mem mem) {
  if (!are_listed())
    return;
  pthread_mutex_lock(&objects_lock);
  side_table_remove(&objects, mem);
  pthread_mutex_unlock(&objects_lock);
}

bool memory_live_has(const void *bytes) {
  pi_mem mem;
  if (!are_listed())
    return false;
  memcpy(&mem, bytes, sizeof mem);
  return mem && side_table_find(&objects, mem);
}
