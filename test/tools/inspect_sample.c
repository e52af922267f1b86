/*
 * Device images as static data, in the form that DPC++'s wrapper writes, for specpi inspect to
 * find. The constructor aborts, because nothing may run this code.
 *
 * DAMAGE is the kind of damage: COUNT, TABLE, END, LEAVES, SHARED, and for code with the format of
 * compressed code CUT, UNPACKED and BOMB. 0 and COMPRESSED make good images.
 */
#include "../support/embed.h"

#include <pi/pi.h>

#include <stdlib.h>

#define COUNT 1
#define TABLE 2
#define END 3
#define LEAVES 4
#define SHARED 5
#define COMPRESSED 6
#define CUT 7
#define UNPACKED 8
#define BOMB 9
#ifndef DAMAGE
#define DAMAGE 0
#endif

#if DAMAGE == COMPRESSED || DAMAGE == CUT
SPECPI_EMBED(module, "inspect.zst")
#elif DAMAGE == BOMB
SPECPI_EMBED(module, "inspect-zeros.zst")
#else
SPECPI_EMBED(module, "inspect.spv")
#endif
/* Format 4 is zstd; PI has no name for it. */
#define FORMAT (DAMAGE >= COMPRESSED ? 4 : PI_DEVICE_BINARY_TYPE_NONE)

__attribute__((constructor)) static void run(void) {
  abort();
}

#define W(word)                                                                                    \
  (unsigned char)(word), (unsigned char)((word) >> 8), (unsigned char)((word) >> 16),              \
      (unsigned char)((word) >> 24)
#define BITS(bits) W(bits), 0, 0, 0, 0
#define PADDING 0xffffffffu

static unsigned char flag[] = {BITS(96), W(101), W(0), W(1)};
static unsigned char count[] = {BITS(96), W(105), W(0), W(4)};
static unsigned char mix[] = {
    BITS(288), W(107), W(0), W(4), W(103), W(4), W(1), W(PADDING), W(DAMAGE == LEAVES ? 1 : 5),
    W(3)};
static unsigned char defaults[] = {BITS(104), 1,    0xfe, 0xff, 0xff, 0xff, 0,
                                   0,         0x20, 0x40, 9,    0,    0,    0};
static unsigned char eliminated[] = {BITS(3), 0x02};

static pi_device_binary_property_struct constants[] = {
    {"flag", flag, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof flag},
    {"count", count, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof count},
    {"mix", mix, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof mix},
};
static pi_device_binary_property_struct blob[] = {
    {"all", defaults, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof defaults},
};
static pi_device_binary_property_struct parameters[] = {
    {"value", eliminated, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof eliminated},
};
static pi_device_binary_property_struct misc[] = {
    {"optLevel", NULL, PI_PROPERTY_TYPE_UINT32, 2},
    {"note", "\033[2Jtext", PI_PROPERTY_TYPE_STRING, 9},
};
#define ALL_OF(table) table, table + sizeof table / sizeof table[0]
static pi_device_binary_property_set_struct sets[] = {
    {PI_PROPERTY_SET_SPEC_CONST_MAP, ALL_OF(constants)},
    {PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP, ALL_OF(blob)},
    {PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, ALL_OF(parameters)},
    {PI_PROPERTY_SET_SYCL_MISC_PROP, ALL_OF(misc)},
};

/* An exported symbol, which another library may replace, so that pointers to it have another kind
 * of relocation. */
extern char exported_name[];
__attribute__((visibility("default"))) char exported_name[] = "value";

static pi_offload_entry_struct first_entries[] = {{.name = exported_name}};
static pi_offload_entry_struct second_entries[] = {{.name = "one"}, {.name = "t\377w\033o"}};
static const unsigned char text[] = ".version 7.0";
/* So long that images sharing this table describe more bytes than the file has. */
static char long_name[2048] = {[0 ... 2046] = 'n'};
static pi_offload_entry_struct long_entries[] = {{.name = long_name}};

#define FIRST_IMAGE                                                                                \
  {                                                                                                \
    .Version = 2, .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL, .Format = FORMAT,                    \
    .DeviceTargetSpec = "spir64", .CompileOptions = "", .LinkOptions = "",                         \
    .BinaryStart = module_begin, .BinaryEnd = DAMAGE == CUT ? module_end - 1 : module_end,         \
    .EntriesBegin = first_entries, .EntriesEnd = first_entries + 1, .PropertySetsBegin = sets,     \
    .PropertySetsEnd =                                                                             \
        DAMAGE == END ? (pi_device_binary_property_set)(void *)((char *)sets + 25) : sets + 4      \
  }
#define SECOND_IMAGE                                                                               \
  {                                                                                                \
    .Version = 1, .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,                                      \
    .Format = PI_DEVICE_BINARY_TYPE_NATIVE, .DeviceTargetSpec = "nvptx64", .CompileOptions = "-x", \
    .BinaryStart = text, .BinaryEnd = text + sizeof text - 1,                                      \
    .EntriesBegin = DAMAGE == TABLE ? (pi_offload_entry)0x7f0000000000 : second_entries,           \
    .EntriesEnd = DAMAGE == TABLE ? (pi_offload_entry)0x7f0000000040 : second_entries + 2          \
  }
#define SHARING_IMAGE                                                                              \
  {                                                                                                \
    .Version = 2, .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL, .DeviceTargetSpec = "spir64",        \
    .EntriesBegin = long_entries, .EntriesEnd = long_entries + 1                                   \
  }

static pi_device_binary_struct images[] = {
    FIRST_IMAGE,
    SECOND_IMAGE,
#if DAMAGE == SHARED
    [2 ... 40] = SHARING_IMAGE,
#endif
};

static pi_device_binaries_struct library = {
    .Version = PI_DEVICE_BINARIES_VERSION,
    .NumDeviceBinaries = DAMAGE == COUNT ? 9999 : sizeof images / sizeof images[0],
    .DeviceBinaries = images,
};

/* Not SYCL images: another kind of offloading, and another version. */
static pi_device_binary_struct openmp = {.Version = 2, .Kind = 1, .DeviceTargetSpec = "spir64"};
static pi_device_binaries_struct openmp_library = {
    .Version = 1, .NumDeviceBinaries = 1, .DeviceBinaries = &openmp};
static pi_device_binaries_struct other_version = {
    .Version = 2, .NumDeviceBinaries = 1, .DeviceBinaries = images};

/* Uses the structures, so that the linker keeps them. */
const void *inspect_sample(int which);
__attribute__((visibility("default"))) const void *inspect_sample(int which) {
  const void *const all[] = {&library, &openmp_library, &other_version, long_entries};
  return all[which & 3];
}

int main(void) {
  return 1;
}
