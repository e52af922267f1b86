#include "pci.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS_SIZE = 12 }; /* characters of "0000:1b:00.0" */

/* Writes an address in Linux's form; returns false if from is no PCI address. */
static bool write_address(const char *from, char *to) {
  static const char form[] = "####:##:##.#";
  const size_t length = strlen(from);
  if (length < ADDRESS_SIZE || strspn(from, "0") < length - ADDRESS_SIZE)
    return false;
  from += length - ADDRESS_SIZE; /* skips additional zeros at the start */
  for (size_t i = 0; i < ADDRESS_SIZE; i++) {
    const unsigned char c = (unsigned char)from[i];
    if (form[i] == '#' ? !isxdigit(c) : from[i] != form[i])
      return false;
    to[i] = (char)tolower(c);
  }
  to[ADDRESS_SIZE] = '\0';
  return true;
}

bool pci_read_id(const char *directory, const char *address, pi_uint32 *ret) {
  char name[ADDRESS_SIZE + 1], path[256], text[16] = "", *end = text;
  if (!write_address(address, name))
    return false;
  const int length = snprintf(path, sizeof path, "%s/%s/device", directory, name);
  FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
  if (!file)
    return false;
  const bool is_read = fgets(text, sizeof text, file) != NULL;
  fclose(file);
  const unsigned long id = strtoul(text, &end, 16);
  if (!is_read || end == text || *end != '\n' || id > 0xffff)
    return false;
  *ret = (pi_uint32)id;
  return true;
}
