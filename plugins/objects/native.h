/*
 * Native handles of platforms that go by another backend's name.
 *
 * The application uses a native handle with the interface of the backend that the platform reports,
 * whatever the driver's own objects are. So a driver returns its own objects only under its own
 * name. Under Level Zero's name the handles are the objects of the plugin, which entry points of
 * Level Zero over them (ze/) take, if programs of this process find those entry points. In any
 * other case each handle would end the process, so none is returned.
 */
#ifndef OBJECTS_NATIVE_H
#define OBJECTS_NATIVE_H

#include "driver.h"
#include "driver_parts.h"
#include "registry.h"

/*
 * True where the platforms report another backend than the driver's. PI's platforms do so where the
 * user has said it, and have the driver's handles all the same.
 */
static inline bool native_is_foreign(void) {
  return object_face && driver_backend() != (pi_platform_backend)DRIVER_BACKEND;
}

/*
 * Lets programs of this process find the entry points of Level Zero over these objects, and returns
 * whether they do. Each interface with entry points defines it (ze/find.c); without one they do
 * not.
 */
bool native_find_entries(void);

/* Calls that once for platforms with another backend's name, before anybody has a handle. */
void native_open(void);

/*
 * Checks that objects of this kind, which noun names, can have handles; only for platforms with
 * another backend's name. PI_ERROR_UNSUPPORTED_FEATURE: there are no entry points.
 */
pi_result native_check(const char *noun);

/* The failure for objects that no entry point takes. */
pi_result native_refuse(const char *noun) __attribute__((cold));

/*
 * The handle of an object for such a platform, recorded in the object's link (registry.h). Errors
 * as native_check.
 */
pi_result native_of_object(const char *noun, registry_link *link, object_head *object,
                           pi_native_handle *ret);

/*
 * The object of this library for a native handle, with the caller's reference as in registry_find.
 * NULL where it is not ours, which only drivers under their own name accept.
 * PI_ERROR_INVALID_VALUE: it is not ours, and the platform has another backend's name.
 */
pi_result native_find(object_kind kind, const char *noun, pi_native_handle native, bool is_owned,
                      object_head **ret);

#endif
