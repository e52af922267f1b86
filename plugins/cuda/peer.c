/*
 * Access to the memory of another device. PI enables it between devices, but CUDA between contexts.
 * So the plugin enables it between the devices' primary contexts, which piContextCreate uses.
 */
#include "../objects/driver.h"
#include "checks.h"
#include "device.h"

/* Two devices, and a reference to the primary context of each. */
typedef struct peers {
  CUdevice command_device;
  CUdevice peer_device;
  CUcontext command;
  CUcontext peer;
} peers;

static pi_result peers_retain(pi_device command_device, pi_device peer_device, peers *ret) {
  *ret = (peers){command_device->driver.ordinal, peer_device->driver.ordinal, NULL, NULL};
  CU_TRY(DevicePrimaryCtxRetain, &ret->command, ret->command_device);
  const pi_result result = CU_CALL(DevicePrimaryCtxRetain, &ret->peer, ret->peer_device);
  if (result != PI_SUCCESS)
    cu.DevicePrimaryCtxRelease(ret->command_device);
  return result;
}

static void peers_release(const peers *peers) {
  cu.DevicePrimaryCtxRelease(peers->peer_device);
  cu.DevicePrimaryCtxRelease(peers->command_device);
}

/* Enables or disables access by the command device; restores the thread's current context. */
static pi_result change_access(const peers *peers, bool enable) {
  CUcontext previous = NULL;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(CtxSetCurrent, peers->command);
  const pi_result result = enable ? CU_CALL(CtxEnablePeerAccess, peers->peer, 0)
                                  : CU_CALL(CtxDisablePeerAccess, peers->peer);
  cu.CtxSetCurrent(previous);
  return result;
}

/* Retains both primary contexts until access is disabled, because it would end with them. */
pi_result driver_peer_enable(pi_device command_device, pi_device peer_device) {
  peers peers;
  TRY(peers_retain(command_device, peer_device, &peers));
  const pi_result result = change_access(&peers, true);
  if (result != PI_SUCCESS)
    peers_release(&peers);
  return result;
}

pi_result driver_peer_disable(pi_device command_device, pi_device peer_device) {
  peers peers;
  TRY(peers_retain(command_device, peer_device, &peers));
  const pi_result result = change_access(&peers, false);
  if (result == PI_SUCCESS)
    peers_release(&peers);
  peers_release(&peers);
  return result;
}

pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret) {
  const CUdevice command = command_device->driver.ordinal;
  const CUdevice peer = peer_device->driver.ordinal;
  int can = 0;
  if (attr == PI_PEER_ACCESS_SUPPORTED)
    CU_TRY(DeviceCanAccessPeer, &can, command, peer);
  else
    CU_TRY(DeviceGetP2PAttribute, &can, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, command,
           peer);
  *ret = can != 0;
  return PI_SUCCESS;
}
