#define _POSIX_C_SOURCE 200809L /* open, fstat */
#include "image_file.h"

#include "../plugins/base/vector.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* The structures are copied from the file, in which pointers are addresses of 8 bytes. */
_Static_assert(sizeof(void *) == 8, "the file's structures have pointers of 64 bits");

enum {
  NEWEST_VERSION = 3,
  NO_MANIFEST_VERSION = 3, /* of DPC++ 2026: lacks the two addresses of the manifest */
  MANIFEST_AT = offsetof(pi_device_binary_struct, ManifestStart),
  MANIFEST_SIZE = offsetof(pi_device_binary_struct, BinaryStart) - MANIFEST_AT,
  TAIL_SIZE = sizeof(pi_device_binary_struct) - MANIFEST_AT - MANIFEST_SIZE,
  TARGET_MAX = 255, /* bytes; the longest one known has 14 */
  /* Code compressed by zstd, for which PI has no name. The code inside shows its own format. */
  FORMAT_COMPRESSED = 4,
};

/* Counts the bytes and elements that images describe, while they are checked. */
typedef struct meter {
  const image_file *file;
  uint64_t used;
  uint64_t code;
  uint64_t unpacked;
  elf_reason *reason;
} meter;

static uint64_t address_of(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}

/* ---- Reading through addresses ---- */

static bool use_bytes(meter *meter, uint64_t bytes) {
  const uint64_t size = meter->file->elf.size;
  if (bytes > size - meter->used)
    return ELF_FAIL(meter->reason,
                    "its tables, names and values together exceed the file's %" PRIu64
                    " bytes, so they overlap",
                    size);
  meter->used += bytes;
  return true;
}

static bool use_code(meter *meter, uint64_t bytes) {
  const uint64_t size = meter->file->elf.size;
  meter->code += bytes;
  return meter->code / IMAGE_FILE_SHARED <= size ||
         ELF_FAIL(meter->reason,
                  "with it the images have %" PRIu64
                  " bytes of code, more than %d times the file's %" PRIu64 ", so they overlap",
                  meter->code, IMAGE_FILE_SHARED, size);
}

/* Replaces the address of a text by a pointer to it; 0 is allowed if optional. */
static bool convert_text(meter *meter, const char **text, bool optional, const char *what) {
  const uint64_t address = address_of(*text);
  if (address == 0 && optional)
    return true;
  const elf_file *elf = &meter->file->elf;
  *text = elf_text_at(elf, address, elf->size - meter->used);
  if (!*text && elf_text_at(elf, address, elf->size))
    return use_bytes(meter, elf->size + 1);
  if (!*text)
    return ELF_FAIL(meter->reason, "%s at address 0x%" PRIx64 " does not lie in the file", what,
                    address);
  return use_bytes(meter, strlen(*text) + 1);
}

/*
 * Finds the bytes between two addresses. *ret is NULL if the addresses are equal, even if they are
 * invalid.
 */
static bool enclosed(const meter *meter, const void *begin, const void *end, const char *what,
                     const unsigned char **ret, uint64_t *size) {
  const uint64_t first = address_of(begin);
  const uint64_t behind = address_of(end);
  *ret = NULL;
  *size = behind - first;
  if (first == behind)
    return true;
  if (behind > first)
    *ret = elf_at(&meter->file->elf, first, behind - first);
  return *ret ||
         ELF_FAIL(meter->reason,
                  "%s, from address 0x%" PRIx64 " to 0x%" PRIx64 ", does not lie in the file", what,
                  first, behind);
}

/* The same for a table, which the meter counts. */
static bool enclosed_table(meter *meter, const void *begin, const void *end, size_t element,
                           const char *what, const unsigned char **ret, size_t *count) {
  uint64_t size;
  if (!enclosed(meter, begin, end, what, ret, &size) || !use_bytes(meter, size))
    return false;
  if (size % element != 0)
    return ELF_FAIL(meter->reason, "%s has %" PRIu64 " bytes, which are not whole elements of %zu",
                    what, size, element);
  *count = (size_t)size / element;
  return true;
}

/* ---- One image ---- */

/* The sizes of an image's tables, and their places in the file. */
typedef struct layout {
  const unsigned char *entries;
  size_t entry_count;
  const unsigned char *sets;
  size_t set_count;
  size_t property_count; /* number of properties in all sets */
} layout;

/* Finds the tables, and checks that all lie in the file, before anything is allocated. */
static bool measure_image(meter *meter, const pi_device_binary_struct *raw, layout *ret) {
  if (!enclosed_table(meter, raw->EntriesBegin, raw->EntriesEnd, sizeof(pi_offload_entry_struct),
                      "the table of kernels", &ret->entries, &ret->entry_count) ||
      !enclosed_table(meter, raw->PropertySetsBegin, raw->PropertySetsEnd,
                      sizeof(pi_device_binary_property_set_struct), "the table of property sets",
                      &ret->sets, &ret->set_count))
    return false;
  ret->property_count = 0;
  for (size_t i = 0; i < ret->set_count; i++) {
    pi_device_binary_property_set_struct set;
    memcpy(&set, ret->sets + i * sizeof set, sizeof set);
    const unsigned char *properties;
    size_t count;
    if (!enclosed_table(meter, set.PropertiesBegin, set.PropertiesEnd,
                        sizeof(pi_device_binary_property_struct), "a property set", &properties,
                        &count))
      return false;
    ret->property_count += count;
  }
  return true;
}

static bool convert_property(meter *meter, pi_device_binary_property_struct *property) {
  const char *name = property->Name;
  if (!convert_text(meter, &name, false, "the name of a property"))
    return false;
  property->Name = (char *)name;
  const uint64_t address = address_of(property->ValAddr);
  property->ValAddr = NULL;
  if (property->Type == PI_PROPERTY_TYPE_UINT32 || property->ValSize == 0)
    return true;
  property->ValAddr = (void *)elf_at(&meter->file->elf, address, property->ValSize);
  if (!property->ValAddr)
    return ELF_FAIL(meter->reason,
                    "the value of property \"%s\", %" PRIu64 " bytes at address 0x%" PRIx64
                    ", does not lie in the file",
                    name, property->ValSize, address);
  return use_bytes(meter, property->ValSize);
}

static bool convert_sets(meter *meter, const layout *from,
                         pi_device_binary_property_set_struct *sets,
                         pi_device_binary_property_struct *properties) {
  for (size_t i = 0; i < from->set_count; i++) {
    pi_device_binary_property_set_struct *set = &sets[i];
    memcpy(set, from->sets + i * sizeof *set, sizeof *set);
    const unsigned char *table;
    uint64_t size;
    const char *name = set->Name;
    if (!convert_text(meter, &name, false, "the name of a property set") ||
        !enclosed(meter, set->PropertiesBegin, set->PropertiesEnd, name, &table, &size))
      return false;
    const size_t count = (size_t)size / sizeof *properties;
    *set = (pi_device_binary_property_set_struct){(char *)name, properties, properties + count};
    if (table)
      memcpy(properties, table, (size_t)size);
    for (; properties != set->PropertiesEnd; properties++)
      if (!convert_property(meter, properties))
        return false;
  }
  return true;
}

static bool convert_entries(meter *meter, const layout *from, pi_offload_entry_struct *entries) {
  for (size_t i = 0; i < from->entry_count; i++) {
    memcpy(&entries[i], from->entries + i * sizeof entries[i], sizeof entries[i]);
    const char *name = entries[i].name;
    if (!convert_text(meter, &name, false, "the name of a kernel"))
      return false;
    entries[i].name = (char *)name;
    entries[i].addr = NULL;
  }
  return true;
}

/* The size of compressed code after it is unpacked, in bytes; 0 after an error. */
static size_t unpacked_size(const meter *meter, const pi_device_binary_struct *binary) {
  const uint64_t most = meter->file->elf.size * IMAGE_FILE_UNPACKED - meter->unpacked;
  const size_t size = (size_t)(binary->BinaryEnd - binary->BinaryStart);
  const unsigned long long have = ZSTD_getFrameContentSize(binary->BinaryStart, size);
  if (have == 0 || have == ZSTD_CONTENTSIZE_ERROR || have == ZSTD_CONTENTSIZE_UNKNOWN) {
    elf_reason_set(meter->reason, "its code is to be compressed by zstd, and is no frame of that "
                                  "with a known size");
    return 0;
  }
  if (have <= most)
    return (size_t)have;
  elf_reason_set(meter->reason,
                 "its code has %llu bytes when it is not compressed, more than the %" PRIu64
                 " that are left for the file's images",
                 have, most);
  return 0;
}

/* Replaces compressed code by the unpacked code. */
static bool unpack(meter *meter, image_copy *copy) {
  pi_device_binary_struct *binary = &copy->binary;
  const size_t size = unpacked_size(meter, binary);
  if (size == 0)
    return false;
  copy->code = malloc(size);
  if (!copy->code)
    return ELF_FAIL(meter->reason, "host memory is exhausted");
  const size_t done = ZSTD_decompress(copy->code, size, binary->BinaryStart,
                                      (size_t)(binary->BinaryEnd - binary->BinaryStart));
  if (done != size)
    return ELF_FAIL(meter->reason, "its code cannot be decompressed: %s",
                    ZSTD_isError(done) ? ZSTD_getErrorName(done) : "it is shorter than it says");
  meter->unpacked += size;
  binary->Format = PI_DEVICE_BINARY_TYPE_NONE;
  binary->BinaryStart = copy->code;
  binary->BinaryEnd = copy->code + size;
  return true;
}

/* Makes copies of an image's tables in which addresses of the file are pointers of this process. */
static bool convert(meter *meter, image_copy *copy) {
  pi_device_binary_struct *binary = &copy->binary;
  layout found;
  if (!measure_image(meter, binary, &found) ||
      !convert_text(meter, &binary->DeviceTargetSpec, false, "the target") ||
      !convert_text(meter, &binary->CompileOptions, true, "the text of the compile options") ||
      !convert_text(meter, &binary->LinkOptions, true, "the text of the link options"))
    return false;
  const unsigned char *code;
  uint64_t code_size;
  if (!enclosed(meter, binary->BinaryStart, binary->BinaryEnd, "the code", &code, &code_size) ||
      !use_code(meter, code_size))
    return false;
  binary->BinaryStart = code;
  binary->BinaryEnd = code ? code + code_size : NULL;
  if (binary->Format == FORMAT_COMPRESSED && !unpack(meter, copy))
    return false;
  binary->ManifestStart = NULL;
  binary->ManifestEnd = NULL;

  /*
   * One block has sets, properties and entries. All have alignment 8; none exceeds the file's size.
   */
  pi_device_binary_property_set_struct *sets =
      calloc(1, found.set_count * sizeof *sets +
                    found.property_count * sizeof(pi_device_binary_property_struct) +
                    found.entry_count * sizeof(pi_offload_entry_struct) + 1);
  if (!sets)
    return ELF_FAIL(meter->reason, "host memory is exhausted");
  copy->tables = sets;
  pi_device_binary_property properties =
      (pi_device_binary_property)(void *)(sets + found.set_count);
  pi_offload_entry entries = (pi_offload_entry)(void *)(properties + found.property_count);
  binary->PropertySetsBegin = sets;
  binary->PropertySetsEnd = sets + found.set_count;
  binary->EntriesBegin = entries;
  binary->EntriesEnd = entries + found.entry_count;
  return convert_sets(meter, &found, sets, properties) && convert_entries(meter, &found, entries);
}

/* The size of an image's structure in bytes. */
static uint64_t image_size(unsigned version) {
  return sizeof(pi_device_binary_struct) - (version < NO_MANIFEST_VERSION ? 0 : MANIFEST_SIZE);
}

/*
 * Reads the structure of an image, and converts a newer one to version 2; false if there is none.
 */
static bool read_image(const elf_file *elf, uint64_t address, pi_device_binary_struct *ret,
                       uint64_t *size) {
  const unsigned char *bytes = elf_at(elf, address, sizeof ret->Version);
  if (!bytes)
    return false;
  memcpy(&ret->Version, bytes, sizeof ret->Version);
  *size = image_size(ret->Version);
  bytes = elf_at(elf, address, *size);
  if (!bytes)
    return false;
  *ret = (pi_device_binary_struct){.Version = 0};
  memcpy(ret, bytes, MANIFEST_AT);
  memcpy((unsigned char *)ret + MANIFEST_AT + MANIFEST_SIZE, bytes + *size - TAIL_SIZE, TAIL_SIZE);
  return true;
}

/* Loads the image at an address and checks it. The caller releases copy, also after a failure. */
static bool load_image(meter *meter, uint64_t address, image_copy *copy) {
  *copy = (image_copy){.tables = NULL};
  uint64_t size;
  if (!read_image(&meter->file->elf, address, &copy->binary, &size))
    return ELF_FAIL(meter->reason, "it does not lie in the file");
  if (copy->binary.Version == NO_MANIFEST_VERSION)
    copy->binary.Version = NO_MANIFEST_VERSION - 1;
  if (!use_bytes(meter, size) || !convert(meter, copy))
    return false;
  return specpiImageCreate(&copy->binary, &copy->image) == SPECPI_SUCCESS ||
         ELF_FAIL(meter->reason, "%s", specpiGetLastError());
}

void image_copy_release(image_copy *copy) {
  specpiImageRelease(copy->image);
  free(copy->tables);
  free(copy->code);
  *copy = (image_copy){.tables = NULL};
}

bool image_file_load(const image_file *file, size_t index, image_copy *ret, elf_reason *reason) {
  meter meter = {.file = file, .reason = reason};
  if (load_image(&meter, file->addresses[index], ret))
    return true;
  image_copy_release(ret);
  return false;
}

/* ---- Finding images ---- */

/*
 * Returns whether an image seems to start at an address: there are a version, the kind, a format,
 * and the address of a printable text, the target. Other data of a file does not look like that.
 */
static bool looks_like_image(const elf_file *elf, uint64_t address) {
  pi_device_binary_struct raw;
  uint64_t size;
  if (!read_image(elf, address, &raw, &size))
    return false;
  uint64_t head;
  memcpy(&head, &raw, sizeof head);
  if (raw.Version < 1 || raw.Version > NEWEST_VERSION ||
      raw.Kind != PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL || raw.Format > FORMAT_COMPRESSED ||
      head >> 32 != 0)
    return false;
  const char *target = elf_text_at(elf, address_of(raw.DeviceTargetSpec), TARGET_MAX + 1);
  size_t length = 0;
  while (target && target[length] > ' ' && target[length] <= '~')
    length++;
  return target && length > 0 && target[length] == '\0';
}

/* Returns the mark that the image at an address is in the list. */
static bool *known_at(image_file *file, uint64_t address) {
  file->looks++;
  return &file->known[elf_at(&file->elf, address, 1) - file->elf.bytes];
}

static bool add_image(image_file *file, uint64_t address, elf_reason *reason) {
  if (!vector_reserve(&file->addresses, &file->room, file->count, sizeof address))
    return ELF_FAIL(reason, "host memory is exhausted");
  file->addresses[file->count++] = address;
  *known_at(file, address) = true;
  return true;
}

/*
 * The record of the versions of all images with the same code; NULL if the code is not in the file.
 */
static unsigned char *code_version(image_file *file, const pi_device_binary_struct *raw) {
  const unsigned char *code = elf_at(&file->elf, address_of(raw->BinaryStart), 1);
  file->looks++;
  return code ? &file->code_versions[code - file->elf.bytes] : NULL;
}

/* Marks the version of an image in that record; false if it was marked before, or cannot be. */
static bool note_version(image_file *file, uint64_t address) {
  pi_device_binary_struct raw;
  uint64_t size;
  if (!read_image(&file->elf, address, &raw, &size) || raw.Version > NEWEST_VERSION)
    return false;
  unsigned char *versions = code_version(file, &raw);
  if (!versions || *versions >> raw.Version & 1)
    return false;
  *versions |= (unsigned char)(1u << raw.Version);
  return true;
}

/*
 * Returns whether the images of an array are already in the list, from a structure of another
 * version: specpi-cc writes each image for old and for new runtimes. If so, marks this version,
 * too. Each mark is made once, so the time is linear in the file's size.
 */
static bool is_known_otherwise(image_file *file, uint64_t array, size_t count) {
  pi_device_binary_struct raw;
  uint64_t size;
  if (!read_image(&file->elf, array, &raw, &size))
    return false;
  const unsigned char *versions = code_version(file, &raw);
  if (!versions || *versions == 0 || *versions >> raw.Version & 1)
    return false;
  *known_at(file, array) = true;
  for (size_t i = 0; i < count && note_version(file, array + i * size); i++)
    ;
  return true;
}

/* Checks the images of one array and adds them to the list. */
static bool add_array(image_file *file, uint64_t array, size_t count, elf_reason *reason) {
  /* The limit is for the file as a whole, so all images share one meter. */
  meter meter = {.file = file,
                 .used = file->described,
                 .code = file->code,
                 .unpacked = file->unpacked,
                 .reason = reason};
  uint16_t version;
  memcpy(&version, elf_at(&file->elf, array, sizeof version), sizeof version);
  for (size_t i = 0; i < count; i++) {
    const uint64_t address = array + i * image_size(version);
    image_copy copy;
    const bool loaded = load_image(&meter, address, &copy);
    image_copy_release(&copy);
    if (!loaded) {
      elf_reason why = *reason;
      return ELF_FAIL(reason, "device image %zu of %zu at address 0x%" PRIx64 " is damaged: %.300s",
                      i, count, array, why.text);
    }
    if (!add_image(file, address, reason))
      return false;
    note_version(file, address);
  }
  file->described = meter.used;
  file->code = meter.code;
  file->unpacked = meter.unpacked;
  return true;
}

/* Searches each address that is aligned for a structure with pointers. */
static bool scan_range(image_file *file, const elf_range *range, elf_reason *reason) {
  enum { HEAD = offsetof(pi_device_binaries_struct, HostEntriesBegin), ALIGNMENT = 8 };
  const unsigned char *bytes = file->elf.bytes + range->offset;
  for (uint64_t at = -range->address % ALIGNMENT;
       at <= range->size && range->size - at >= sizeof(pi_device_binaries_struct);
       at += ALIGNMENT) {
    /* The first word must be version 1, the count, and padding, which compilers set to zero. */
    uint64_t head[HEAD / sizeof(uint64_t)];
    file->looks++;
    memcpy(head, bytes + at, sizeof head);
    if ((head[0] & 0xffff) != PI_DEVICE_BINARIES_VERSION || head[0] >> 16 == 0 ||
        head[0] >> 32 != 0 || !looks_like_image(&file->elf, head[1]) || *known_at(file, head[1]) ||
        is_known_otherwise(file, head[1], (size_t)(head[0] >> 16)))
      continue;
    if (!add_array(file, head[1], (size_t)(head[0] >> 16), reason))
      return false;
  }
  return true;
}

/* Reads the marks of each image's code. An image without code has only its own version. */
static bool list_versions(image_file *file, elf_reason *reason) {
  file->versions = malloc(file->count + 1);
  if (!file->versions)
    return ELF_FAIL(reason, "host memory is exhausted");
  for (size_t i = 0; i < file->count; i++) {
    pi_device_binary_struct raw;
    uint64_t size;
    file->versions[i] = 0;
    if (!read_image(&file->elf, file->addresses[i], &raw, &size))
      continue;
    const unsigned char *versions = code_version(file, &raw);
    if (versions)
      file->versions[i] = *versions;
    else
      file->versions[i] = (unsigned char)(1u << raw.Version);
  }
  return true;
}

static bool find_images(image_file *file, elf_reason *reason) {
  file->known = calloc(file->elf.size + 1, sizeof *file->known);
  file->code_versions = calloc(file->elf.size + 1, 1);
  bool good = (file->known && file->code_versions) || ELF_FAIL(reason, "host memory is exhausted");
  for (size_t i = 0; good && i < file->elf.range_count; i++)
    good = scan_range(file, &file->elf.ranges[i], reason);
  good = good && list_versions(file, reason);
  free(file->known);
  free(file->code_versions);
  file->known = NULL;
  file->code_versions = NULL;
  return good;
}

bool image_file_open_bytes(image_file *file, unsigned char *bytes, size_t size,
                           elf_reason *reason) {
  *file = (image_file){.bytes = bytes};
  if (elf_open(&file->elf, bytes, size, reason) && find_images(file, reason))
    return true;
  image_file_close(file);
  return false;
}

unsigned char *image_file_read(const char *path, size_t *size, elf_reason *reason) {
  /* O_NONBLOCK, because opening a pipe could block for ever; pipes are refused below. */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat about;
  unsigned char *bytes = NULL;
  size_t done = 0;
  if (descriptor < 0 || fstat(descriptor, &about) != 0)
    elf_reason_set(reason, "%s", strerror(errno));
  else if (!S_ISREG(about.st_mode))
    elf_reason_set(reason, "it is not a regular file");
  else if (!(bytes = malloc((size_t)about.st_size + 1)))
    elf_reason_set(reason, "its %jd bytes do not fit into memory", (intmax_t)about.st_size);
  while (bytes && done < (size_t)about.st_size) {
    const ssize_t got = read(descriptor, bytes + done, (size_t)about.st_size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      elf_reason_set(reason, "%s",
                     got < 0 ? strerror(errno) : "it became shorter while it was read");
      free(bytes);
      bytes = NULL;
      break;
    }
    done += (size_t)got;
  }
  if (descriptor >= 0)
    close(descriptor);
  *size = done;
  return bytes;
}

bool image_file_open(image_file *file, const char *path, elf_reason *reason) {
  size_t size;
  unsigned char *bytes = image_file_read(path, &size, reason);
  return bytes && image_file_open_bytes(file, bytes, size, reason);
}

void image_file_close(image_file *file) {
  elf_close(&file->elf);
  free(file->addresses);
  free(file->versions);
  free(file->bytes);
  *file = (image_file){.bytes = NULL};
}
