#include "peer.h"

#include "../base/error.h"
#include "device.h"
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>

/* A pair of devices with open access. A list is enough, because pairs are few and rarely used. */
typedef struct peer_pair {
  struct peer_pair *next;
  pi_device command_device;
  pi_device peer_device;
  bool is_enabled;  /* the application has enabled the access */
  unsigned holders; /* number of contexts that hold the access */
} peer_pair;

static peer_pair *pairs;
/* Held across calls of the driver: a change is several calls, and changes are rare. */
static pthread_mutex_t pairs_lock = PTHREAD_MUTEX_INITIALIZER;

/* The link to a pair in the list, or to its end (NULL). The caller holds the lock. */
static peer_pair **find_pair(pi_device command_device, pi_device peer_device) {
  peer_pair **link = &pairs;
  while (*link &&
         ((*link)->command_device != command_device || (*link)->peer_device != peer_device))
    link = &(*link)->next;
  return link;
}

static pi_result check_access(pi_device command_device, pi_device peer_device) {
  REQUIRE(command_device != peer_device, PI_ERROR_INVALID_OPERATION,
          "command_device and peer_device are the same device");
  bool can;
  TRY(driver_peer_can(command_device, peer_device, PI_PEER_ACCESS_SUPPORTED, &can));
  REQUIRE(can, PI_ERROR_INVALID_OPERATION, "device %u cannot reach the memory of device %u",
          command_device->index, peer_device->index);
  return PI_SUCCESS;
}

/* Finds a pair, or opens it. The caller of this and the next three functions holds the lock. */
static pi_result open_pair(pi_device command_device, pi_device peer_device, peer_pair **ret) {
  peer_pair **link = find_pair(command_device, peer_device);
  if (!*link) {
    peer_pair *pair = malloc(sizeof *pair);
    REQUIRE_MEMORY(pair, "the access to a device");
    *pair = (peer_pair){NULL, command_device, peer_device, false, 0};
    const pi_result result = driver_peer_enable(command_device, peer_device);
    if (result != PI_SUCCESS) {
      free(pair);
      return result;
    }
    *link = pair;
  }
  *ret = *link;
  return PI_SUCCESS;
}

/* Closes a pair unless the application or a context needs it. A failure changes nothing. */
static pi_result close_pair(peer_pair **link) {
  peer_pair *pair = *link;
  if (pair->is_enabled || pair->holders)
    return PI_SUCCESS;
  TRY(driver_peer_disable(pair->command_device, pair->peer_device));
  *link = pair->next;
  free(pair);
  return PI_SUCCESS;
}

static pi_result enable_pair(pi_device command_device, pi_device peer_device) {
  peer_pair *pair = *find_pair(command_device, peer_device);
  REQUIRE(!pair || !pair->is_enabled, PI_ERROR_INVALID_OPERATION,
          "device %u reaches the memory of device %u already", command_device->index,
          peer_device->index);
  TRY(open_pair(command_device, peer_device, &pair));
  pair->is_enabled = true;
  return PI_SUCCESS;
}

static pi_result disable_pair(pi_device command_device, pi_device peer_device) {
  peer_pair **link = find_pair(command_device, peer_device);
  peer_pair *pair = *link;
  REQUIRE(pair && pair->is_enabled, PI_ERROR_INVALID_OPERATION,
          "access of device %u to the memory of device %u is not enabled", command_device->index,
          peer_device->index);
  pair->is_enabled = false;
  const pi_result result = close_pair(link);
  if (result != PI_SUCCESS)
    pair->is_enabled = true;
  return result;
}

static pi_result change_access(pi_device command_device, pi_device peer_device,
                               pi_result (*change)(pi_device, pi_device)) {
  TRY(check_access(command_device, peer_device));
  pthread_mutex_lock(&pairs_lock);
  const pi_result result = change(command_device, peer_device);
  pthread_mutex_unlock(&pairs_lock);
  return result;
}

pi_result peer_enable(pi_device command_device, pi_device peer_device) {
  return change_access(command_device, peer_device, enable_pair);
}

pi_result peer_disable(pi_device command_device, pi_device peer_device) {
  return change_access(command_device, peer_device, disable_pair);
}

pi_result peer_hold(pi_device command_device, pi_device peer_device) {
  peer_pair *pair;
  pthread_mutex_lock(&pairs_lock);
  const pi_result result = open_pair(command_device, peer_device, &pair);
  if (result == PI_SUCCESS)
    pair->holders++;
  pthread_mutex_unlock(&pairs_lock);
  return result;
}

void peer_yield(pi_device command_device, pi_device peer_device) {
  pthread_mutex_lock(&pairs_lock);
  peer_pair **link = find_pair(command_device, peer_device);
  if (*link && (*link)->holders) {
    (*link)->holders--;
    (void)close_pair(link);
  }
  pthread_mutex_unlock(&pairs_lock);
}

pi_result peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr, bool *ret) {
  *ret = false;
  if (command_device == peer_device)
    return PI_SUCCESS;
  return driver_peer_can(command_device, peer_device, attr, ret);
}
