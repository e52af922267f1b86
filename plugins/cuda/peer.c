/*
 * Access to the memory of another device. CUDA grants it from one context to another, and PI asks
 * for devices, so it is granted between the primary contexts, which piContextCreate uses.
 */
#include "checks.h"
#include "device.h"

static pi_result check_peers(pi_device command_device, pi_device peer_device) {
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  return PI_SUCCESS;
}

/* For the devices' peers: changes are rare, and each is a few calls that belong together. */
static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;

/* Two devices and their primary contexts, of which each is one reference. */
typedef struct peers {
  pi_device command_device;
  pi_device peer_device;
  CUcontext command;
  CUcontext peer;
} peers;

static pi_result peers_retain(pi_device command_device, pi_device peer_device, peers *ret) {
  *ret = (peers){command_device, peer_device, NULL, NULL};
  CU_TRY(DevicePrimaryCtxRetain, &ret->command, command_device->ordinal);
  const pi_result result = cu_result(cu.DevicePrimaryCtxRetain(&ret->peer, peer_device->ordinal),
                                     "cuDevicePrimaryCtxRetain");
  if (result != PI_SUCCESS)
    cu.DevicePrimaryCtxRelease(command_device->ordinal);
  return result;
}

static void peers_release(const peers *peers) {
  cu.DevicePrimaryCtxRelease(peers->peer_device->ordinal);
  cu.DevicePrimaryCtxRelease(peers->command_device->ordinal);
}

static bool *is_enabled(const peers *peers) {
  return &peers->command_device->peers[peers->peer_device - cuda_device(0)];
}

static CUresult enable(CUcontext peer) {
  return cu.CtxEnablePeerAccess(peer, 0);
}

static CUresult disable(CUcontext peer) {
  return cu.CtxDisablePeerAccess(peer);
}

/* Calls one of the two in the command device's context; the thread's context stays as it was. */
static pi_result change_access(const peers *peers, CUresult (*change)(CUcontext peer),
                               CUresult *code) {
  CUcontext previous = NULL;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(CtxSetCurrent, peers->command);
  *code = change(peers->peer);
  cu.CtxSetCurrent(previous);
  return PI_SUCCESS;
}

/* While access is enabled its contexts stay retained: it would end with them. */
static pi_result enable_access(const peers *peers) {
  CUresult code = CUDA_SUCCESS;
  PI_TRY(change_access(peers, enable, &code));
  PI_REQUIRE(code != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, PI_ERROR_INVALID_OPERATION,
             "device %d reaches the memory of device %d already",
             (int)peers->command_device->ordinal, (int)peers->peer_device->ordinal);
  PI_TRY(cu_result(code, "cuCtxEnablePeerAccess"));
  *is_enabled(peers) = true;
  return PI_SUCCESS;
}

static pi_result disable_access(const peers *peers) {
  CUresult code = CUDA_SUCCESS;
  PI_TRY(change_access(peers, disable, &code));
  PI_REQUIRE(code != CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, PI_ERROR_INVALID_OPERATION,
             "access of device %d to the memory of device %d is not enabled",
             (int)peers->command_device->ordinal, (int)peers->peer_device->ordinal);
  PI_TRY(cu_result(code, "cuCtxDisablePeerAccess"));
  /* Not those that the application enabled past this plugin. */
  if (*is_enabled(peers))
    peers_release(peers);
  *is_enabled(peers) = false;
  return PI_SUCCESS;
}

pi_result piextEnablePeerAccess(pi_device command_device, pi_device peer_device) {
  PI_TRY(check_peers(command_device, peer_device));
  PI_REQUIRE(command_device != peer_device, PI_ERROR_INVALID_OPERATION,
             "command_device and peer_device are both device %d", (int)peer_device->ordinal);
  int can = 0;
  CU_TRY(DeviceCanAccessPeer, &can, command_device->ordinal, peer_device->ordinal);
  PI_REQUIRE(can, PI_ERROR_INVALID_OPERATION, "device %d cannot reach the memory of device %d",
             (int)command_device->ordinal, (int)peer_device->ordinal);
  peers peers;
  PI_TRY(peers_retain(command_device, peer_device, &peers));
  pthread_mutex_lock(&peers_lock);
  const pi_result result = enable_access(&peers);
  pthread_mutex_unlock(&peers_lock);
  if (result != PI_SUCCESS)
    peers_release(&peers);
  return result;
}

pi_result piextDisablePeerAccess(pi_device command_device, pi_device peer_device) {
  PI_TRY(check_peers(command_device, peer_device));
  PI_REQUIRE(command_device != peer_device, PI_ERROR_INVALID_OPERATION,
             "command_device and peer_device are both device %d", (int)peer_device->ordinal);
  peers peers;
  PI_TRY(peers_retain(command_device, peer_device, &peers));
  pthread_mutex_lock(&peers_lock);
  const pi_result result = disable_access(&peers);
  pthread_mutex_unlock(&peers_lock);
  peers_release(&peers);
  return result;
}

pi_result piextPeerAccessGetInfo(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  PI_TRY(check_peers(command_device, peer_device));
  PI_TRY(pi_answer_check(&answer));
  int value = 0;
  switch (attr) {
  case PI_PEER_ACCESS_SUPPORTED:
    if (command_device != peer_device)
      CU_TRY(DeviceCanAccessPeer, &value, command_device->ordinal, peer_device->ordinal);
    return pi_answer_uint32(&answer, value != 0);
  case PI_PEER_ATOMICS_SUPPORTED:
    if (command_device != peer_device)
      CU_TRY(DeviceGetP2PAttribute, &value, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
             command_device->ordinal, peer_device->ordinal);
    return pi_answer_uint32(&answer, value != 0);
  }
  return pi_answer_unknown("pi_peer_attr", attr);
}
