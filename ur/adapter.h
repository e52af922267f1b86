/* The adapter. The process has one. */
#ifndef UR_ADAPTER_H
#define UR_ADAPTER_H

#include <ur/ur.h>

/* The adapter's handle. Takes no reference. */
ur_adapter_handle_t adapter_handle(void);

#endif
