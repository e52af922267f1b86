/* Sizes and ids of a launch's three dimensions. In any further dimension there is one work-item. */
#include "device.h"

#define DIMENSION(function, name, beyond)                                                          \
  size_t API function(uint dimension) {                                                            \
    return dimension == 0   ? name##_x()                                                           \
           : dimension == 1 ? name##_y()                                                           \
           : dimension == 2 ? name##_z()                                                           \
                            : beyond;                                                              \
  }
DIMENSION(get_local_id, thread, 0)
DIMENSION(get_local_size, threads, 1)
DIMENSION(get_group_id, group, 0)
DIMENSION(get_num_groups, groups, 1)
size_t API get_global_id(uint dimension) {
  return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}
size_t API get_global_size(uint dimension) {
  return get_num_groups(dimension) * get_local_size(dimension);
}
size_t API get_enqueued_local_size(uint dimension) {
  return get_local_size(dimension);
}
