/* Lists the devices and creates a context of the first one, with the installed library. */
#include <specpi/specpi.h>

#include <stdio.h>

int main(void) {
  specpi_device devices[8];
  size_t count;
  if (specpiDevicesGet(NULL, 8, devices, &count) != SPECPI_SUCCESS) {
    fprintf(stderr, "%s\n", specpiGetLastError());
    return 1;
  }
  for (size_t i = 0; i < count && i < 8; i++)
    printf("%s: %s\n", specpiDeviceGetSelector(devices[i]), specpiDeviceGetName(devices[i]));
  if (count == 0) {
    fprintf(stderr, "no device\n");
    return 1;
  }
  const pi_function_table *pi = specpiDeviceGetFunctions(devices[0]);
  pi_device device = specpiDeviceGetHandle(devices[0]);
  pi_context context;
  if (pi->piContextCreate(NULL, 1, &device, NULL, NULL, &context) != PI_SUCCESS)
    return 1;
  return pi->piContextRelease(context) != PI_SUCCESS;
}
