#include "leaf_ids.h"

specpi_compiler_result leaf_ids_assign(pass *p, uint64_t first) {
  uint64_t id = first;
  uint32_t position = 0;
  for (size_t i = 0; i < p->constants.count; i++) {
    spec_constant *it = &p->constants.items[i];
    if (!it->recorded)
      continue;
    COMPILER_REQUIRE(id + it->layout.id_count <= SPECPI_COMPILER_PADDING &&
                         position <= UINT32_MAX - it->layout.size,
                     SPECPI_COMPILER_ERROR_LIMIT,
                     "constant '%s': no ids or offsets of 32 bits are left", it->name);
    it->first_id = (uint32_t)id;
    it->position = position;
    for (size_t j = 0; j < it->layout.descriptors.count; j++)
      if (it->layout.descriptors.items[j].id != SPECPI_COMPILER_PADDING)
        it->layout.descriptors.items[j].id += it->first_id;
    id += it->layout.id_count;
    position += it->layout.size;
  }
  return SPECPI_COMPILER_SUCCESS;
}
