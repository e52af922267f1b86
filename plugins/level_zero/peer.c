/*
 * Access to the memory of another device. Level Zero grants it to all devices of a context that can
 * have it, without being asked. So what is kept here is only what PI promises its callers: that
 * access is enabled once, and ended once.
 */
#include "checks.h"
#include "device.h"

#include <stdlib.h>

/* The pairs that are enabled: few, and seldom asked for. */
typedef struct peer_pair {
  struct peer_pair *next;
  pi_device command_device;
  pi_device peer_device;
} peer_pair;

static peer_pair *pairs;
static pthread_mutex_t pairs_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where the pair is linked, or NULL is; under the lock. */
static peer_pair **find_pair(pi_device command_device, pi_device peer_device) {
  peer_pair **link = &pairs;
  while (*link &&
         ((*link)->command_device != command_device || (*link)->peer_device != peer_device))
    link = &(*link)->next;
  return link;
}

static pi_result check_peers(pi_device command_device, pi_device peer_device) {
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  return PI_SUCCESS;
}

static pi_result can_access(pi_device command_device, pi_device peer_device, bool *ret) {
  ze_bool_t can = false;
  if (command_device != peer_device)
    ZE_TRY(DeviceCanAccessPeer, command_device->device, peer_device->device, &can);
  *ret = can;
  return PI_SUCCESS;
}

static pi_result check_access(pi_device command_device, pi_device peer_device) {
  PI_TRY(check_peers(command_device, peer_device));
  PI_REQUIRE(command_device != peer_device, PI_ERROR_INVALID_OPERATION,
             "command_device and peer_device are the same device");
  bool can;
  PI_TRY(can_access(command_device, peer_device, &can));
  PI_REQUIRE(can, PI_ERROR_INVALID_OPERATION, "\"%s\" cannot reach the memory of \"%s\"",
             command_device->properties.name, peer_device->properties.name);
  return PI_SUCCESS;
}

pi_result piextEnablePeerAccess(pi_device command_device, pi_device peer_device) {
  PI_TRY(check_access(command_device, peer_device));
  peer_pair *pair = malloc(sizeof *pair);
  PI_REQUIRE(pair, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the access to a device");
  *pair = (peer_pair){NULL, command_device, peer_device};
  pthread_mutex_lock(&pairs_lock);
  peer_pair **link = find_pair(command_device, peer_device);
  const bool is_enabled = *link != NULL;
  if (!is_enabled)
    *link = pair;
  pthread_mutex_unlock(&pairs_lock);
  if (!is_enabled)
    return PI_SUCCESS;
  free(pair);
  return pi_error(PI_ERROR_INVALID_OPERATION, "\"%s\" reaches the memory of \"%s\" already",
                  command_device->properties.name, peer_device->properties.name);
}

pi_result piextDisablePeerAccess(pi_device command_device, pi_device peer_device) {
  PI_TRY(check_access(command_device, peer_device));
  pthread_mutex_lock(&pairs_lock);
  peer_pair **link = find_pair(command_device, peer_device);
  peer_pair *pair = *link;
  if (pair)
    *link = pair->next;
  pthread_mutex_unlock(&pairs_lock);
  PI_REQUIRE(pair, PI_ERROR_INVALID_OPERATION,
             "access of \"%s\" to the memory of \"%s\" is not enabled",
             command_device->properties.name, peer_device->properties.name);
  free(pair);
  return PI_SUCCESS;
}

pi_result piextPeerAccessGetInfo(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  PI_TRY(check_peers(command_device, peer_device));
  PI_TRY(pi_answer_check(&answer));
  switch (attr) {
  case PI_PEER_ACCESS_SUPPORTED: {
    bool can;
    PI_TRY(can_access(command_device, peer_device, &can));
    return pi_answer_uint32(&answer, can);
  }
  case PI_PEER_ATOMICS_SUPPORTED: {
    ze_device_p2p_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
    if (command_device != peer_device)
      ZE_TRY(DeviceGetP2PProperties, command_device->device, peer_device->device, &properties);
    return pi_answer_uint32(&answer, (properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS) != 0);
  }
  }
  return pi_answer_unknown("pi_peer_attr", attr);
}
