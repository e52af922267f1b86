/* The PCI id of a device, from the kernel's files. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "../support/scratch.h"
#include "../unit/check.h"

#include "../../plugins/cuda/pci.h"

#include <stdlib.h>
#include <string.h>

static char directory[] = "/tmp/specpi-pci-XXXXXX";

/* Makes the file of a device. */
static void add_device(const char *name, const char *id) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/%s/device", directory, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(id, file);
  assert_int_equal(fclose(file), 0);
}

static void check_id(const char *address, pi_uint32 expected) {
  pi_uint32 id = 7;
  assert_true(pci_read_id(directory, address, &id));
  assert_int_equal(id, expected);
}

static void check_none(const char *address) {
  pi_uint32 id = 7;
  assert_false(pci_read_id(directory, address, &id));
  assert_int_equal(id, 7);
}

TEST(an_id_is_found_by_the_address_of_cuda) {
  add_device("0000:1b:00.0", "0x2330\n");
  add_device("10de:ff:1f.7", "0x0\n");
  check_id("0000:1B:00.0", 0x2330);
  check_id("00000000:1b:00.0", 0x2330);
  check_id("10DE:FF:1F.7", 0);
}

TEST(unknown_devices_and_bad_files_have_no_id) {
  add_device("0000:01:00.0", "");
  add_device("0000:02:00.0", "none\n");
  add_device("0000:03:00.0", "0x12345\n");
  static const char *const none[] = {
      "0000:01:00.0", "0000:02:00.0", "0000:03:00.0", "0000:04:00.0", "",
      "0000:1b:00",   "1b:00.0",      "0000:1B:00.0/"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    check_none(none[i]);
  pi_uint32 id = 7;
  assert_false(pci_read_id("/nonexistent", "0000:1b:00.0", &id));
  assert_int_equal(id, 7);
}

static int remove_directory(void **state) {
  (void)state;
  return scratch_remove(directory);
}

int main(void) {
  if (!mkdtemp(directory))
    return 1;
  return tests_run(NULL, remove_directory);
}
