/*
 * Native handles of platforms that report another backend than the driver's.
 *
 * An application passes a native handle to the interface of the backend that the platform reports.
 * So the driver's own objects can be handles only if the platform reports the driver's backend. If
 * it reports level_zero, the handles are the plugin's objects, and the entry points of Level Zero
 * in ze/ take them, provided that the process finds these entry points. In all other cases the
 * process would crash when it uses a handle, so none is returned.
 */
#ifndef OBJECTS_NATIVE_H
#define OBJECTS_NATIVE_H

#include "driver.h"
#include "driver_parts.h"
#include "registry.h"

/*
 * Returns whether this is a library for UR whose platforms report another backend than the
 * driver's. False in a library for PI: there the handles are always the driver's, even if the user
 * asks for another backend.
 */
static inline bool native_is_foreign(void) {
  return object_face && driver_backend() != (pi_platform_backend)DRIVER_BACKEND;
}

/*
 * Makes the process find ze/'s entry points of Level Zero, and returns whether it does. Defined in
 * ze/find.c; libraries without ze/ have a default that returns false.
 */
bool native_find_entries(void);

/*
 * The current event of an event that Level Zero's entries have made, with a reference. *ret is NULL
 * if native is none. If is_owned the application's reference to it is taken over. Defined in
 * ze/event.c; libraries without ze/ have a default that finds none. Errors of event_create_user.
 */
pi_result native_find_event(pi_native_handle native, bool is_owned, pi_event *ret);

/* Calls native_find_entries, once, for such platforms, before the application has any handle. */
void native_open(void);

/*
 * Checks that objects of the kind that noun names can have handles; only for such platforms.
 * PI_ERROR_UNSUPPORTED_FEATURE: the process does not find the entry points.
 */
pi_result native_check(const char *noun);

/* Records the failure for objects that no entry point takes, and returns its code. */
pi_result native_refuse(const char *noun) __attribute__((cold));

/*
 * The handle of an object of such a platform, recorded in the object's link (registry.h). Errors of
 * native_check.
 */
pi_result native_of_object(const char *noun, registry_link *link, object_head *object,
                           pi_native_handle *ret);

/*
 * Finds the plugin's object for a native handle, with a reference as in registry_find. *ret is NULL
 * for a handle from elsewhere, if the platform reports the driver's backend.
 * PI_ERROR_INVALID_VALUE: the handle is from elsewhere, and the platform reports another backend.
 */
pi_result native_find(object_kind kind, const char *noun, pi_native_handle native, bool is_owned,
                      object_head **ret);

#endif
