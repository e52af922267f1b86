/*
 * Access of a device to a peer's memory, which piextEnablePeerAccess opens and
 * piextDisablePeerAccess ends. PI_ERROR_INVALID_OPERATION: both are the same device, the device
 * cannot reach the peer, or the access is already enabled, or not enabled.
 */
#ifndef OBJECTS_PEER_H
#define OBJECTS_PEER_H

#include <pi/pi.h>

/* Reports whether a device has attr for a peer's memory; false for its own memory. */
pi_result peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr, bool *ret);

pi_result peer_enable(pi_device command_device, pi_device peer_device);
pi_result peer_disable(pi_device command_device, pi_device peer_device);

/*
 * Open and end the access for a context of both devices, independently of the application. The
 * caller has checked that the device can reach the peer. Errors of driver_peer_enable.
 */
pi_result peer_hold(pi_device command_device, pi_device peer_device);
void peer_yield(pi_device command_device, pi_device peer_device);

#endif
