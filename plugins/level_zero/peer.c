/*
 * Access to the memory of another device. Level Zero grants it without a request to every device of
 * the context that can reach the memory.
 */
#include "../objects/driver.h"
#include "checks.h"
#include "device.h"

pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret) {
  const ze_device_handle_t command = command_device->driver.device;
  const ze_device_handle_t peer = peer_device->driver.device;
  if (attr == PI_PEER_ACCESS_SUPPORTED) {
    ze_bool_t can = false;
    ZE_TRY(DeviceCanAccessPeer, command, peer, &can);
    *ret = can;
    return PI_SUCCESS;
  }
  ze_device_p2p_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
  ZE_TRY(DeviceGetP2PProperties, command, peer, &properties);
  *ret = (properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS) != 0;
  return PI_SUCCESS;
}
