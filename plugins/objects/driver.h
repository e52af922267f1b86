/*
 * The seam between the objects of PI, which are written once (objects/), and the drivers
 * (plugins/<name>/). Each plugin has one driver, and the linker is what joins them: a driver
 * defines every verb below, and one that is missing is a link error. What a driver keeps in an
 * object is its structure driver_<object>, the object's last member, called driver; driver_parts.h,
 * of which every driver has its own, declares them.
 *
 * Unless a verb says otherwise: handles are alive and checked, the object's other members are
 * filled in, and outputs are untouched after a failure, which has its sentence. A verb may be
 * called from any thread.
 */
#ifndef PI_OBJECTS_DRIVER_H
#define PI_OBJECTS_DRIVER_H

#include <pi/pi.h>

/* ---- Platforms and devices ---- */

/* ---- Contexts ---- */

/* ---- Commands: sinks (sink.h) ---- */

/* ---- Queues ---- */

/* ---- Events (event.h) ---- */

/* A new user event, with one reference. The errors are those of piEventCreate. */
pi_result driver_event_create_user(pi_context context, pi_event *ret);

/*
 * Has a new event stand for a native handle. If that is one of ours, event->origin becomes the event
 * it is of, with the reference that comes with the handle if is_owned, or a new one.
 */
void driver_event_adopt(pi_event event, pi_native_handle native, bool is_owned);

/* Destroys what the driver has for an event that event_allocate made. */
void driver_event_close(pi_event event);

/*
 * The last reference of PI is gone: the event goes back to where it came from, or event_destroy
 * ends it, when the driver does not need it any more.
 */
void driver_event_leave(pi_event event);

/* Has the driver know the event's command, where commands are gathered. Cheap when it does. */
pi_result driver_event_submit(pi_event event);

/* As event_status, of an event that was not known to have ended a moment ago. */
pi_int32 driver_event_status(pi_event event);

/*
 * Waits until such an event has ended, and sets its status, but not that of a native handle which
 * may be used again. Fails only when nothing can be waited for.
 */
pi_result driver_event_wait(pi_event event);

/* Ends a user event, which has not been set before; status is 0 or negative. */
pi_result driver_event_set(pi_event event, pi_int32 status);

/* When the command started and ended, in ns; it is complete and its queue has profiling. */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end);

/* The native handle, which has the event's command known to the driver. */
pi_result driver_event_native(pi_event event, pi_native_handle *ret);

/* ---- Memory objects ---- */

/* ---- Unified shared memory (USM) ---- */

/* ---- Images ---- */

/* ---- Samplers (sampler.h) ---- */

/*
 * Makes what the driver has for a new sampler, whose state is read. is_bindless: for
 * piextBindlessImageSamplerCreate, not for a kernel's argument. PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver has nothing like the state.
 */
pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless);

/* Destroys it; no command uses the sampler. */
void driver_sampler_destroy(pi_sampler sampler);

/* ---- Programs ---- */

/* ---- Kernels and launches ---- */

/* ---- Command buffers ---- */

#endif
