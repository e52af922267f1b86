/*
 * The work of specpi inspect for files made to cause much of it. The tests count lookups and
 * comparisons, and check that the reader refuses work out of proportion to the file's size.
 */
#include "../../runtime/image_file.h"
#include "../../tools/inspect.h"
#include "../support/tests.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0x400000, ROOM = 8 << 20, CODE = 100000 };

/* Number of calls of strcmp, which the linker replaces by __wrap_strcmp. */
static size_t comparisons;
/* Visible, because the linker also binds a sanitizer library's calls of strcmp to the wrapper. */
#pragma GCC visibility push(default)
int __real_strcmp(const char *left, const char *right);
int __wrap_strcmp(const char *left, const char *right);
#pragma GCC visibility pop
int __wrap_strcmp(const char *left, const char *right) {
  comparisons++;
  return __real_strcmp(left, right);
}

/* ---- Making a file: an executable, loaded at BASE as a whole ---- */

static unsigned char *bytes;
static size_t used;

/* Appends bytes, and zeros up to a multiple of 8; returns the bytes' address. */
static uint64_t put(const void *what, size_t size) {
  const size_t place = used;
  assert_true(size + 8 <= ROOM - used);
  memcpy(bytes + used, what, size);
  used = (used + size + 7) / 8 * 8;
  return BASE + place;
}

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

/* Starts a file with segments a gigabyte apart, each of which contains the whole file. */
static void begin_file(unsigned segments) {
  const Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                             .e_type = ET_EXEC,
                             .e_machine = EM_X86_64,
                             .e_phoff = sizeof header,
                             .e_phnum = (uint16_t)segments,
                             .e_phentsize = sizeof(Elf64_Phdr)};
  bytes = calloc(1, ROOM);
  assert_non_null(bytes);
  used = 0;
  put(&header, sizeof header);
  for (unsigned i = 0; i < segments; i++)
    put(&(Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = BASE + ((uint64_t)i << 30)},
        sizeof(Elf64_Phdr));
}

/* Opens the file, which takes the bytes; returns whether it is good. */
static bool end_file(image_file *file, elf_reason *reason) {
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  for (size_t i = 0; i < header.e_phnum; i++) {
    Elf64_Phdr segment;
    unsigned char *at = bytes + sizeof header + i * sizeof segment;
    memcpy(&segment, at, sizeof segment);
    segment.p_filesz = segment.p_memsz = used;
    memcpy(at, &segment, sizeof segment);
  }
  return image_file_open_bytes(file, bytes, used, reason);
}

static void put_array(const pi_device_binary_struct *images, uint16_t count) {
  const uint64_t address = put(images, count * sizeof *images);
  put(&(pi_device_binaries_struct){.Version = PI_DEVICE_BINARIES_VERSION,
                                   .NumDeviceBinaries = count,
                                   .DeviceBinaries = pointer(address)},
      sizeof(pi_device_binaries_struct));
}

/* Returns an image without code, kernels and properties. */
static pi_device_binary_struct empty_image(void) {
  return (pi_device_binary_struct){.Version = 2,
                                   .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                   .DeviceTargetSpec = pointer(put("spir64", 7))};
}

/* ---- Files that cause much work ---- */

TEST(many_arrays_take_few_lookups) {
  enum { ARRAYS = 20000 };
  image_file file;
  elf_reason reason;
  begin_file(1);
  for (size_t i = 0; i < ARRAYS; i++) {
    const pi_device_binary_struct image = empty_image();
    put_array(&image, 1);
  }
  assert_true(end_file(&file, &reason));
  assert_int_equal(file.count, ARRAYS);
  assert_true(file.looks <= file.elf.size);
  image_file_close(&file);
}

/* Appends images in the form of DPC++ 2026, which has no manifest, with different code. */
static void put_newer_array(size_t count) {
  enum { HEAD = offsetof(pi_device_binary_struct, ManifestStart) };
  unsigned char images[4 * sizeof(pi_device_binary_struct)];
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    pi_device_binary_struct image = empty_image();
    const uint64_t code = put("a bcd ef", 8);
    image.Version = 3;
    image.BinaryStart = pointer(code);
    image.BinaryEnd = pointer(code + i);
    memcpy(images + size, &image, HEAD);
    memcpy(images + size + HEAD, &image.BinaryStart,
           sizeof image - offsetof(pi_device_binary_struct, BinaryStart));
    size += sizeof image - 2 * sizeof(char *);
  }
  const uint64_t address = put(images, size);
  put(&(pi_device_binaries_struct){.Version = PI_DEVICE_BINARIES_VERSION,
                                   .NumDeviceBinaries = (uint16_t)count,
                                   .DeviceBinaries = pointer(address)},
      sizeof(pi_device_binaries_struct));
}

TEST(newer_images_are_read) {
  image_file file;
  image_copy copy;
  elf_reason reason = {""};
  begin_file(1);
  put_newer_array(4);
  if (!end_file(&file, &reason))
    fail_msg("%s", reason.text);
  assert_int_equal(file.count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_true(image_file_load(&file, i, &copy, &reason));
    assert_string_equal(copy.binary.DeviceTargetSpec, "spir64");
    assert_int_equal(copy.binary.BinaryEnd - copy.binary.BinaryStart, i);
    image_copy_release(&copy);
  }
  image_file_close(&file);
}

/* Opens a file whose images share one block of code. */
static bool open_shared(size_t count, image_file *file, elf_reason *reason) {
  static unsigned char code[CODE] = {0x7f, 'E', 'L', 'F'};
  pi_device_binary_struct images[64];
  assert_true(count <= sizeof images / sizeof images[0]);
  begin_file(1);
  /* The code is an ELF file in which the reader searches in vain for a section. */
  const uint64_t address = put(code, sizeof code);
  images[0] = empty_image();
  images[0].BinaryStart = pointer(address);
  images[0].BinaryEnd = pointer(address + sizeof code);
  for (size_t i = 1; i < count; i++)
    images[i] = images[0];
  put_array(images, (uint16_t)count);
  return end_file(file, reason);
}

TEST(too_much_shared_code_is_refused) {
  image_file file;
  elf_reason reason = {""};
  assert_true(open_shared(IMAGE_FILE_SHARED, &file, &reason));
  assert_int_equal(file.count, IMAGE_FILE_SHARED);
  assert_int_equal(file.code, IMAGE_FILE_SHARED * CODE);
  image_file_close(&file);
  assert_false(open_shared(64, &file, &reason));
  if (!strstr(reason.text, "device image 4 of 64 at address ") ||
      !strstr(reason.text, "is damaged: with it the images have 500000 bytes of code, more than 4 "
                           "times the file's "))
    fail_msg("%s", reason.text);
}

TEST(too_many_shared_segments_are_refused) {
  image_file file;
  elf_reason reason = {""};
  begin_file(2);
  assert_true(end_file(&file, &reason));
  image_file_close(&file);
  begin_file(1000);
  assert_false(end_file(&file, &reason));
  if (!strstr(reason.text, "its segments up to number 2 have ") ||
      !strstr(reason.text, " bytes, more than 2 times the file's "))
    fail_msg("%s", reason.text);
}

/* Prints an image with kernels of one name or of different names, each with a property about its
 * arguments. */
static char *print_kernels(size_t count, bool one_name, size_t *size) {
  pi_offload_entry_struct *entries = calloc(count, sizeof *entries);
  pi_device_binary_property_struct *properties = calloc(count, sizeof *properties);
  assert_true(entries && properties);
  begin_file(1);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "kernel%06zu", one_name ? 0 : i);
    const unsigned char removed[16] = {
        64, [8] = (unsigned char)(1 << (i % 8))}; /* one of 64 arguments */
    entries[count - i - 1].name = pointer(put(name, strlen(name) + 1));
    properties[i] =
        (pi_device_binary_property_struct){.Name = pointer(put(name, strlen(name) + 1)),
                                           .ValAddr = pointer(put(removed, sizeof removed)),
                                           .Type = PI_PROPERTY_TYPE_BYTE_ARRAY,
                                           .ValSize = sizeof removed};
  }
  pi_device_binary_struct image = empty_image();
  const uint64_t table = put(properties, count * sizeof *properties);
  const pi_device_binary_property_set_struct set = {
      pointer(
          put(PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, sizeof PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO)),
      pointer(table), pointer(table + count * sizeof *properties)};
  image.PropertySetsBegin = pointer(put(&set, sizeof set));
  image.PropertySetsEnd = image.PropertySetsBegin + 1;
  image.EntriesBegin = pointer(put(entries, count * sizeof *entries));
  image.EntriesEnd = image.EntriesBegin + count;
  put_array(&image, 1);
  free(entries);
  free(properties);

  image_file file;
  elf_reason reason = {""};
  image_copy copy;
  if (!end_file(&file, &reason) || !image_file_load(&file, 0, &copy, &reason))
    fail_msg("%s", reason.text);
  char *text = NULL;
  FILE *to = open_memstream(&text, size);
  assert_non_null(to);
  comparisons = 0;
  inspect_print(to, 0, copy.image, file.versions[0]);
  assert_int_equal(fclose(to), 0);
  image_copy_release(&copy);
  image_file_close(&file);
  return text;
}

TEST(many_kernels_take_few_comparisons) {
  enum { KERNELS = 4096, LOGARITHM = 12 };
  size_t size;
  char *text = print_kernels(KERNELS, false, &size);
  assert_in_range(comparisons, KERNELS, (size_t)KERNELS * 4 * LOGARITHM);
  assert_non_null(strstr(text, "\n  kernel kernel000000, 64 arguments, without 0\n"));
  assert_non_null(strstr(text, "\n  kernel kernel001003, 64 arguments, without 3\n"));
  free(text);
}

/* For kernels of one name the first property's arguments are printed once. */
TEST(kernels_of_one_name_list_arguments_once) {
  size_t size;
  char *text = print_kernels(1000, true, &size);
  const char *found = strstr(text, "\n  kernel kernel000000, 64 arguments, without 0\n");
  assert_non_null(found);
  assert_null(strstr(strchr(found, ','), "kernel kernel000000,"));
  free(text);
}
