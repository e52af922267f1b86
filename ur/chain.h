/* Chains of structures, by which UR's parameters are extended: pNext is the next one. */
#ifndef UR_CHAIN_H
#define UR_CHAIN_H

#include <ur/ur.h>

/* The first structure of a type in a chain, which may be NULL; NULL: there is none. */
static inline const void *chain_find(const void *chain, ur_structure_type_t type) {
  const ur_base_desc_t *link = chain;
  while (link && link->stype != type)
    link = link->pNext;
  return link;
}

#endif
