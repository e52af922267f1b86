#include "pci.h"

#include <stdio.h>

bool pci_read_id(const char *folder, const char *address, pi_uint32 *ret) {
  unsigned domain, bus, device, function, id;
  char path[256], end = '\0';
  if (sscanf(address, "%x:%x:%x.%x%c", &domain, &bus, &device, &function, &end) != 4)
    return false;
  const int length = snprintf(path, sizeof path, "%s/%04x:%02x:%02x.%x/device", folder, domain, bus,
                              device, function);
  FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
  if (!file)
    return false;
  const bool is_read = fscanf(file, "0x%x", &id) == 1 && id <= 0xffff;
  fclose(file);
  if (is_read)
    *ret = id;
  return is_read;
}
