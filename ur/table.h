/* The tables of entries, in the layout of the release that asks. */
#ifndef UR_TABLE_H
#define UR_TABLE_H

#include <ur/ur.h>

/* The release whose loader has asked for tables; UR_RELEASE_COUNT before, and when it turned out to
 * have another layout. */
ur_release table_release(void);

/* The record of entries with which every object begins (plugins/objects/handle.h). */
extern void (*table_record[])(void);

#endif
