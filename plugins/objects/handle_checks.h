/*
 * Checks of handles, for plugins that make all their objects themselves. Every such object begins
 * with an object_head.
 */
#ifndef OBJECTS_HANDLE_CHECKS_H
#define OBJECTS_HANDLE_CHECKS_H

#include "handle.h"

#define HANDLE_IS_LIVE(object, KIND)                                                               \
  object_is((const object_head *)(const void *)(object), OBJECT_##KIND)
#include "../checks/handles.h"

#endif
