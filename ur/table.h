/* The tables of entries, in the layout of the calling release. */
#ifndef UR_TABLE_H
#define UR_TABLE_H

#include <ur/ur.h>

/* The release whose loader has asked for tables; UR_RELEASE_COUNT before that, and if the loader
 * turned out to have another layout. */
ur_release table_release(void);

/* The record of entries. Every object starts with a pointer to it (plugins/objects/handle.h). */
extern void (*table_record[])(void);

#endif
