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

/* ---- Events ---- */

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
