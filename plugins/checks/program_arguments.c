#include "program_arguments.h"

#include "../code/elf_hash.h"

/*
 * Checks that a device is not repeated in a list. Is not quadratic for long lists, because all
 * devices before index are different devices of the context.
 */
static pi_result check_first(pi_uint32 index, pi_uint32 count, const pi_device *devices) {
  for (pi_uint32 i = 0; i < index; i++)
    REQUIRE(devices[i] != devices[index], PI_ERROR_INVALID_DEVICE,
            "device %u of %u is device %u again", index, count, i);
  return PI_SUCCESS;
}

pi_result check_devices(const device_array *of, pi_uint32 count, const pi_device *devices) {
  for (pi_uint32 i = 0; i < count; i++) {
    REQUIRE(devices[i], PI_ERROR_INVALID_DEVICE, "device %u of %u is NULL", i, count);
    REQUIRE(of->has(of->context, devices[i]), PI_ERROR_INVALID_DEVICE,
            "device %u of %u is not a device of the context", i, count);
    TRY(check_first(i, count, devices));
  }
  return PI_SUCCESS;
}

pi_result check_build_devices(const device_array *of, pi_uint32 count, const pi_device *devices) {
  REQUIRE((count != 0) == (devices != NULL), PI_ERROR_INVALID_VALUE,
          "%u devices are announced and the list is %s", count, devices ? "not NULL" : "NULL");
  return check_devices(of, count, devices);
}

pi_result check_binaries(const device_array *of, const binary_array *all) {
  REQUIRE(all->count != 0 && all->devices, PI_ERROR_INVALID_VALUE,
          all->count ? "device_list is NULL" : "num_devices is 0");
  REQUIRE(all->lengths && all->bytes, PI_ERROR_INVALID_VALUE, "%s is NULL",
          all->lengths ? "binaries" : "lengths");
  TRY(check_devices(of, all->count, all->devices));
  for (pi_uint32 i = 0; i < all->count; i++)
    REQUIRE(all->lengths[i] != 0 && all->bytes[i], PI_ERROR_INVALID_VALUE, "binary %u of %u is %s",
            i, all->count, all->bytes[i] ? "0 bytes long" : "NULL");
  REQUIRE(all->metadata || all->metadata_count == 0, PI_ERROR_INVALID_VALUE,
          "num_metadata_entries is %zu and metadata is NULL", all->metadata_count);
  return PI_SUCCESS;
}

pi_result check_binary(const binary_array *all, pi_uint32 index) {
  REQUIRE(
      elf_hash_agrees(all->bytes[index], all->lengths[index]), PI_ERROR_INVALID_BINARY,
      "binary %u of %u is damaged: its %zu bytes do not match the hash that piProgramGetInfo wrote",
      index, all->count, all->lengths[index]);
  return PI_SUCCESS;
}
