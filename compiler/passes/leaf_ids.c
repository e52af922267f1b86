#include "leaf_ids.h"

specpi_compiler_result leaf_ids_assign(pass *p, uint64_t first) {
  uint64_t id = first;
  uint32_t position = 0;
  for (size_t i = 0; i < p->constants.count; i++) {
    spec_constant *constant = &p->constants.items[i];
    if (!constant->recorded)
      continue;
    COMPILER_REQUIRE(id + constant->layout.id_count <= SPECPI_COMPILER_PADDING &&
                         position <= UINT32_MAX - constant->layout.size,
                     SPECPI_COMPILER_ERROR_LIMIT,
                     "constant '%s': no ids or offsets of 32 bits are left", constant->name);
    constant->first_id = (uint32_t)id;
    constant->position = position;
    for (size_t j = 0; j < constant->layout.descriptors.count; j++)
      if (constant->layout.descriptors.items[j].id != SPECPI_COMPILER_PADDING)
        constant->layout.descriptors.items[j].id += constant->first_id;
    id += constant->layout.id_count;
    position += constant->layout.size;
  }
  return SPECPI_COMPILER_SUCCESS;
}
