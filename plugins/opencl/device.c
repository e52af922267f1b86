/* Devices: lists, partitions, choice of an image, symbols of programs, timers, peers. */
#include "device.h"
#include "../code/select_image.h"
#include "checks.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

pi_result opencl_device_version(cl_device_id device, unsigned *ret) {
  char text[1024];
  size_t size;
  TRY(CL_CALL(GetDeviceInfo, device, CL_DEVICE_VERSION, sizeof text, text, &size));
  text[size < sizeof text ? size : sizeof text - 1] = '\0';
  const unsigned version = opencl_version_of_text(text);
  REQUIRE(version != 0, PI_ERROR_INVALID_DEVICE,
          "the device's version \"%s\" does not begin with \"OpenCL <major>.<minor>\"", text);
  *ret = version;
  return PI_SUCCESS;
}

/* Returns whether name is one of the words of list, which are divided by separator. */
static bool list_contains(const char *list, char separator, const char *name) {
  const size_t length = strlen(name);
  for (const char *word = list; word;) {
    const char *end = strchr(word, separator);
    const size_t word_length = end ? (size_t)(end - word) : strlen(word);
    if (word_length == length && memcmp(word, name, length) == 0)
      return true;
    word = end ? end + 1 : NULL;
  }
  return false;
}

pi_result opencl_device_has_extension(cl_device_id device, const char *name, bool *ret) {
  size_t size;
  TRY(CL_CALL(GetDeviceInfo, device, CL_DEVICE_EXTENSIONS, 0, NULL, &size));
  char *text = calloc(size + 1, 1);
  REQUIRE_MEMORY(text, "%zu bytes of extension names", size);
  const pi_result result = CL_CALL(GetDeviceInfo, device, CL_DEVICE_EXTENSIONS, size, text, NULL);
  if (result == PI_SUCCESS)
    *ret = list_contains(text, ' ', name);
  free(text);
  return result;
}

pi_result piDevicesGet(pi_platform platform, pi_device_type device_type, pi_uint32 num_entries,
                       pi_device *devices, pi_uint32 *num_devices) {
  REQUIRE_PLATFORM(platform);
  TRY(check_devices_get(device_type, num_entries, devices, num_devices));

  const cl_int code =
      cl.GetDeviceIDs(cl_from_platform(platform), device_type, devices ? num_entries : 0,
                      cl_from_device_out(devices), num_devices);
  /* The type is valid in OpenCL, so a driver that reports an invalid type has no such device. */
  if (code == CL_DEVICE_NOT_FOUND || code == CL_INVALID_DEVICE_TYPE) {
    if (num_devices)
      *num_devices = 0;
    return PI_SUCCESS;
  }
  return cl_result(code, "clGetDeviceIDs");
}

/*
 * Checks that the counts of a partition are above 0, and add up to no more than the device's
 * compute units. Intel's CPU runtime reads only 32 bits of each count.
 */
static pi_result check_counts(pi_device device, const pi_device_partition_property *counts) {
  cl_uint units = 0;
  TRY(CL_GET(Device, cl_from_device(device), CL_DEVICE_MAX_COMPUTE_UNITS, &units));
  cl_uint left = units;
  for (size_t i = 0; counts[i] != PI_DEVICE_PARTITION_BY_COUNTS_LIST_END; i++) {
    REQUIRE(counts[i] > 0 && counts[i] <= left, PI_ERROR_INVALID_DEVICE_PARTITION_COUNT,
            "count %zu of PI_DEVICE_PARTITION_BY_COUNTS is %lld, %u of the device's %u compute "
            "units are left",
            i, (long long)counts[i], left, units);
    left -= (cl_uint)counts[i];
  }
  return PI_SUCCESS;
}

/* Checks a property list of piDevicePartition. */
static pi_result check_partition(pi_device device, const pi_device_partition_property *properties) {
  switch (properties[0]) {
  case PI_DEVICE_PARTITION_EQUALLY:
    REQUIRE(properties[1] > 0, PI_ERROR_INVALID_VALUE,
            "PI_DEVICE_PARTITION_EQUALLY needs a number of compute units above 0, %lld is given",
            (long long)properties[1]);
    REQUIRE(properties[2] == 0, PI_ERROR_INVALID_VALUE,
            "properties goes on with 0x%llx after PI_DEVICE_PARTITION_EQUALLY, expected is 0",
            (unsigned long long)properties[2]);
    return PI_SUCCESS;
  case PI_DEVICE_PARTITION_BY_COUNTS:
    REQUIRE(properties[1] != PI_DEVICE_PARTITION_BY_COUNTS_LIST_END, PI_ERROR_INVALID_VALUE,
            "PI_DEVICE_PARTITION_BY_COUNTS has no counts");
    return check_counts(device, properties + 1);
  case PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
    switch (properties[1]) {
    case PI_DEVICE_AFFINITY_DOMAIN_NUMA:
    case PI_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
    case PI_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
    case PI_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
    case PI_DEVICE_AFFINITY_DOMAIN_L1_CACHE:
    case PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE:
      break;
    default:
      return plugin_error(PI_ERROR_INVALID_VALUE, "0x%llx is not one pi_device_affinity_domain",
                          (unsigned long long)properties[1]);
    }
    REQUIRE(properties[2] == 0, PI_ERROR_INVALID_VALUE,
            "properties goes on with 0x%llx after the affinity domain, expected is 0",
            (unsigned long long)properties[2]);
    return PI_SUCCESS;
  case PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE:
    return OPENCL_UNSUPPORTED("OpenCL has no partition of a device into compute slices");
  }
  return plugin_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a way to partition a device",
                      (unsigned long long)properties[0]);
}

pi_result piDevicePartition(pi_device device, const pi_device_partition_property *properties,
                            pi_uint32 num_devices, pi_device *out_devices,
                            pi_uint32 *out_num_devices) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  TRY(check_partition_get(out_devices, out_num_devices));
  TRY(check_partition(device, properties));

  cl_uint count;
  TRY(CL_CALL(CreateSubDevices, cl_from_device(device), properties, 0, NULL, &count));
  if (out_devices) {
    /* Intel's CPU driver would fill a shorter array and leak the other sub-devices. */
    REQUIRE(num_devices >= count, PI_ERROR_INVALID_VALUE,
            "num_devices is %u, the partition has %u sub-devices", num_devices, count);
    TRY(CL_CALL(CreateSubDevices, cl_from_device(device), properties, count,
                cl_from_device_out(out_devices), NULL));
  }
  if (out_num_devices)
    *out_num_devices = count;
  return PI_SUCCESS;
}

/* Accepts code compiled ahead of time only on 64-bit devices, and SPIR-V only with the device's
 * address width. */
pi_result piextDeviceSelectBinary(pi_device device, pi_device_binary *binaries,
                                  pi_uint32 num_binaries, pi_uint32 *selected_binary_ind) {
  REQUIRE_DEVICE(device);
  TRY(check_select_image(binaries, num_binaries, selected_binary_ind));
  cl_device_type type;
  cl_uint bits;
  TRY(CL_GET(Device, cl_from_device(device), CL_DEVICE_TYPE, &type));
  TRY(CL_GET(Device, cl_from_device(device), CL_DEVICE_ADDRESS_BITS, &bits));
  const char *own = type & CL_DEVICE_TYPE_CPU           ? PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64
                    : type & CL_DEVICE_TYPE_GPU         ? PI_DEVICE_BINARY_TARGET_SPIRV64_GEN
                    : type & CL_DEVICE_TYPE_ACCELERATOR ? PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA
                                                        : NULL;
  const char *portable =
      bits == 64 ? PI_DEVICE_BINARY_TARGET_SPIRV64 : PI_DEVICE_BINARY_TARGET_SPIRV32;

  return select_image(binaries, num_binaries, bits == 64 ? own : NULL, portable,
                      selected_binary_ind);
}

/* Finds out whether program has a kernel of that name; fails unless it is built. */
static pi_result has_kernel(cl_program program, const char *name, bool *ret) {
  size_t size;
  TRY(opencl_program_check_built(program));
  TRY(CL_CALL(GetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size));
  char *names = calloc(size + 1, 1);
  REQUIRE_MEMORY(names, "%zu bytes of kernel names", size);
  const pi_result result =
      CL_CALL(GetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES, size, names, NULL);
  if (result == PI_SUCCESS)
    *ret = list_contains(names, ';', name);
  free(names);
  return result;
}

static pi_result function_address(const opencl_extensions *extensions, cl_device_id device,
                                  cl_program program, const char *name, cl_ulong *ret) {
  /* Intel's CPU driver would throw a C++ exception for an unknown name. */
  bool exists = false;
  TRY(has_kernel(program, name, &exists));
  if (!exists)
    return refuse_kernel_name(name);

  cl_ulong address = 0;
  const cl_int code = extensions->GetDeviceFunctionPointer(device, program, name, &address);
  REQUIRE(code != CL_INVALID_ARG_VALUE, PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
          "the device gives no address for \"%s\"", name);
  TRY(cl_result(code, "clGetDeviceFunctionPointerINTEL"));
  *ret = address;
  return PI_SUCCESS;
}

pi_result piextGetDeviceFunctionPointer(pi_device device, pi_program program,
                                        const char *function_name,
                                        pi_uint64 *function_pointer_ret) {
  REQUIRE_DEVICE(device);
  REQUIRE_PROGRAM(program);
  REQUIRE(function_name && function_pointer_ret, PI_ERROR_INVALID_VALUE, "%s is NULL",
          function_name ? "function_pointer_ret" : "function_name");
  const opencl_extensions *extensions = opencl_extensions_of_device(cl_from_device(device));
  REQUIRE(extensions->GetDeviceFunctionPointer, PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
          "the OpenCL driver has no clGetDeviceFunctionPointerINTEL");

  cl_program active;
  TRY(opencl_program_hold(program, &active));
  cl_ulong address = 0;
  const pi_result result =
      function_address(extensions, cl_from_device(device), active, function_name, &address);
  opencl_program_yield(program, active);
  if (result == PI_SUCCESS)
    *function_pointer_ret = address;
  return result;
}

pi_result piextGetGlobalVariablePointer(pi_device device, pi_program program,
                                        const char *global_variable_name,
                                        size_t *global_variable_size,
                                        void **global_variable_pointer_ret) {
  REQUIRE_DEVICE(device);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(global_variable_name);
  REQUIRE(global_variable_size || global_variable_pointer_ret, PI_ERROR_INVALID_VALUE,
          "global_variable_size and global_variable_pointer_ret are both NULL");
  const opencl_extensions *extensions = opencl_extensions_of_device(cl_from_device(device));
  REQUIRE(extensions->GetDeviceGlobalVariablePointer, PI_ERROR_UNSUPPORTED_FEATURE,
          "the OpenCL driver has no clGetDeviceGlobalVariablePointerINTEL");

  size_t size = 0;
  void *address = NULL;
  cl_program active;
  TRY(opencl_program_hold(program, &active));
  const cl_int code = extensions->GetDeviceGlobalVariablePointer(
      cl_from_device(device), active, global_variable_name, &size, &address);
  opencl_program_yield(program, active);
  REQUIRE(code != CL_INVALID_ARG_VALUE, PI_ERROR_INVALID_VALUE,
          "the program has no global variable \"%s\"", global_variable_name);
  TRY(cl_result(code, "clGetDeviceGlobalVariablePointerINTEL"));
  if (global_variable_size)
    *global_variable_size = size;
  if (global_variable_pointer_ret)
    *global_variable_pointer_ret = address;
  return PI_SUCCESS;
}

/* Ignores platform, which may be NULL: an OpenCL device knows its platform. */
pi_result piextDeviceCreateWithNativeHandle(pi_native_handle native_handle, pi_platform platform,
                                            pi_device *device) {
  (void)platform;
  REQUIRE(native_handle, PI_ERROR_INVALID_DEVICE, "native_handle is 0");
  REQUIRE_POINTER(device);
  *device = (pi_device)native_handle;
  return PI_SUCCESS;
}

/* PI_ERROR_INVALID_OPERATION tells runtimes that the device has no such timers. */
pi_result piGetDeviceAndHostTimer(pi_device device, uint64_t *device_time, uint64_t *host_time) {
  REQUIRE_DEVICE(device);
  unsigned version;
  TRY(opencl_device_version(cl_from_device(device), &version));
  REQUIRE(cl.GetDeviceAndHostTimer && version >= 210, PI_ERROR_INVALID_OPERATION,
          "timers need OpenCL 2.1, the device has %u.%u and libOpenCL.so.1 %s "
          "clGetDeviceAndHostTimer",
          version / 100, version / 10 % 10, cl.GetDeviceAndHostTimer ? "has" : "lacks");
  cl_ulong device_now;
  cl_ulong host_now;
  TRY(CL_CALL(GetDeviceAndHostTimer, cl_from_device(device), &device_now, &host_now));
  if (device_time)
    *device_time = device_now;
  if (host_time)
    *host_time = host_now;
  return PI_SUCCESS;
}

pi_result piextEnablePeerAccess(pi_device command_device, pi_device peer_device) {
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  return OPENCL_UNSUPPORTED("OpenCL has no access to a peer device's memory");
}

pi_result piextDisablePeerAccess(pi_device command_device, pi_device peer_device) {
  return piextEnablePeerAccess(command_device, peer_device);
}

pi_result piextPeerAccessGetInfo(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  TRY(answer_check(&answer));
  switch (attr) {
  case PI_PEER_ACCESS_SUPPORTED:
  case PI_PEER_ATOMICS_SUPPORTED:
    return answer_uint32(&answer, 0);
  }
  return answer_unknown("pi_peer_attr", attr);
}
