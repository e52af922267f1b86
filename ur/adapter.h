/* The adapter, of which there is one. */
#ifndef UR_ADAPTER_H
#define UR_ADAPTER_H

#include <ur/ur.h>

/* Its handle, which takes no reference. */
ur_adapter_handle_t adapter_handle(void);

#endif
