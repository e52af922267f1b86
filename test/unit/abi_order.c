/*
 * Compares the order of our list of functions with the table that a real plugin fills:
 *
 *   unit-abi-order PLUGIN.so NAMED UNIMPLEMENTED
 *
 * Looks up each entry's address in the plugin's symbol table. NAMED is the number of entries that
 * must have the name that the list has at their index. UNIMPLEMENTED is the number of entries that
 * must be the helper that Intel's unified-runtime plugin has for functions it lacks. The two
 * numbers must add up to all entries. The plugin is loaded as a runtime loads it.
 */
#define _GNU_SOURCE /* dladdr */
#include <pi/pi.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const expected[] = {
#define PI_FUNCTION(name, since, parameters, arguments) #name,
#include <pi/pi_functions.def>
};

/* The section .symtab of a file, which also has the functions that are not exported. */
typedef struct symbols {
  const Elf64_Sym *symbols;
  size_t count;
  const char *strings;
} symbols;

static bool read_symbols(const char *path, symbols *ret) {
  const int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0)
    return false;
  const char *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED || memcmp(image, ELFMAG, SELFMAG) != 0)
    return false;
  const Elf64_Ehdr *header = (const void *)image;
  const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    ret->symbols = (const void *)(image + sections[i].sh_offset);
    ret->count = sections[i].sh_size / sizeof(Elf64_Sym);
    ret->strings = image + sections[sections[i].sh_link].sh_offset;
    return true;
  }
  return false;
}

/*
 * Returns whether a symbol is the function, as a C name or a mangled C++ name, or its wrapper
 * whole_NAME, which defers thread cancellation.
 */
static bool is_function(const char *symbol, const char *function) {
  char mangled[128];
  if (strncmp(symbol, "whole_", 6) == 0)
    symbol += 6;
  snprintf(mangled, sizeof mangled, "%zu%s", strlen(function), function);
  return strcmp(symbol, function) == 0 || strstr(symbol, mangled);
}

/* Returns whether a function at this offset has the name; *other receives a name found there. */
static bool has_name(const symbols *all, size_t offset, const char *function, const char **other) {
  *other = NULL;
  for (size_t i = 0; i < all->count; i++) {
    const Elf64_Sym *one = &all->symbols[i];
    if (ELF64_ST_TYPE(one->st_info) != STT_FUNC || one->st_value != offset)
      continue;
    *other = all->strings + one->st_name;
    if (is_function(*other, function))
      return true;
  }
  return false;
}

/* Returns an entry of the table as an address. */
static void *entry(const pi_plugin *plugin, size_t index) {
  void *address;
  memcpy(&address, (const char *)&plugin->PiFunctionTable + index * sizeof address, sizeof address);
  return address;
}

static int fill(const char *path, pi_plugin *plugin, char **base) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *symbol = dlsym(library, "piPluginInit");
  Dl_info info;
  if (!symbol || !dladdr(symbol, &info)) {
    fprintf(stderr, "%s has no piPluginInit\n", path);
    return 1;
  }
  *base = info.dli_fbase;
  piPluginInit_fn *initialize;
  memcpy(&initialize, &symbol, sizeof initialize);
  const pi_result result = initialize(plugin);
  if (result != PI_SUCCESS)
    fprintf(stderr, "piPluginInit returned %d\n", (int)result);
  return result != PI_SUCCESS;
}

/* Counts correct and unimplemented entries; prints wrong ones and returns their number. */
static int compare(const char *path, const pi_plugin *plugin, const char *base, size_t *named,
                   size_t *unimplemented) {
  symbols all;
  if (!read_symbols(path, &all)) {
    fprintf(stderr, "%s has no symbol table\n", path);
    return 1;
  }
  int wrong = 0;
  for (size_t i = 0; i < PI_FUNCTION_COUNT; i++) {
    const char *address = entry(plugin, i);
    const char *other = NULL;
    if (address && has_name(&all, (size_t)(address - base), expected[i], &other)) {
      ++*named;
    } else if (other && strstr(other, "DieUnsupported")) {
      ++*unimplemented;
    } else {
      fprintf(stderr, "entry %zu should be %s and is %s\n", i, expected[i],
              !address ? "NULL" : (other ? other : "an address without a name"));
      wrong++;
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s PLUGIN.so NAMED UNIMPLEMENTED\n", argv[0]);
    return 2;
  }
  /* The structure as libsycl passes it, followed by bytes that must not change. */
  struct {
    pi_plugin plugin;
    unsigned char guard[64];
  } given = {.plugin = {.PiVersion = PI_VERSION_STRING, .PluginVersion = PI_VERSION_STRING}};
  memset(given.guard, 0xee, sizeof given.guard);
  char *base = NULL;
  if (fill(argv[1], &given.plugin, &base))
    return 1;

  size_t named = 0;
  size_t unimplemented = 0;
  int wrong = compare(argv[1], &given.plugin, base, &named, &unimplemented);
  for (size_t i = 0; i < sizeof given.guard; i++)
    if (given.guard[i] != 0xee || given.plugin.SanitizeType != PI_SANITIZE_TYPE_NONE) {
      fprintf(stderr, "the plugin wrote after its table\n");
      wrong++;
      break;
    }
  if (strncmp(given.plugin.PluginVersion, "15.47", 5) != 0) {
    fprintf(stderr, "PluginVersion is \"%.20s\"\n", given.plugin.PluginVersion);
    wrong++;
  }
  printf("%s: %zu named, %zu unimplemented, %d wrong\n", argv[1], named, unimplemented, wrong);
  return wrong != 0 || named != strtoul(argv[2], NULL, 10) ||
         unimplemented != strtoul(argv[3], NULL, 10);
}
