/* Chains of structures that extend UR's parameters. pNext points to the next structure. */
#ifndef UR_CHAIN_H
#define UR_CHAIN_H

#include <ur/ur.h>

/* The first structure of a type in a chain; NULL if there is none. The chain may be NULL. */
static inline const void *chain_find(const void *chain, ur_structure_type_t type) {
  const ur_base_desc_t *link = chain;
  while (link && link->stype != type)
    link = link->pNext;
  return link;
}

#endif
