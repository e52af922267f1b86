/* Asserts that specpiDevicesGetPreferred returns the devices of a selector (argument 1) in the
 * order of argument 2. */
#include <specpi/specpi.h>

#include <stdio.h>
#include <string.h>

enum { ROOM = 32 };

int main(int argc, char **argv) {
  specpi_device devices[ROOM];
  size_t count = 0;
  char found[1024] = "";
  if (argc != 3 || specpiDevicesGetPreferred(argv[1], ROOM, devices, &count) != SPECPI_SUCCESS ||
      count > ROOM) {
    fprintf(stderr, "%zu devices: %s\n", count, specpiGetLastError());
    return 1;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t end = strlen(found);
    snprintf(found + end, sizeof found - end, "%s%s", i ? " " : "",
             specpiDeviceGetSelector(devices[i]));
  }
  if (strcmp(count != 0 ? found : "none", argv[2]) == 0)
    return 0;
  fprintf(stderr, "\"%s\" prefers \"%s\" and not \"%s\"\n", argv[1], found, argv[2]);
  return 1;
}
