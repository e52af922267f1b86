/*
 * Access of a device to the memory of another one. piextEnablePeerAccess opens it and
 * piextDisablePeerAccess ends it: once each. PI_ERROR_INVALID_OPERATION: a device with itself, one
 * that cannot reach the other, or access that is open already, or not.
 */
#ifndef OBJECTS_PEER_H
#define OBJECTS_PEER_H

#include <pi/pi.h>

/* Reports whether a device has attr; no device has it for its own memory. */
pi_result peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr, bool *ret);

pi_result peer_enable(pi_device command_device, pi_device peer_device);
pi_result peer_disable(pi_device command_device, pi_device peer_device);

/*
 * The same for a context of both devices, as long as it lives, whatever the application enables;
 * the device is known to reach the other one. Codes of driver_peer_enable.
 */
pi_result peer_hold(pi_device command_device, pi_device peer_device);
void peer_yield(pi_device command_device, pi_device peer_device);

#endif
