#define _GNU_SOURCE /* dlinfo, getline, memmem */
#include "drivers.h"

#include "tool.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_vendors[] = "/etc/OpenCL/vendors";

/* A function that each OpenCL driver exports for loaders. */
static const char entry[] = "clGetExtensionFunctionAddress";

/* Returns the path of a library if this process has loaded it, else NULL. */
static char *find_loaded(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return NULL;
  struct link_map *map;
  char *path = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? tool_format("%s", map->l_name) : NULL;
  dlclose(library);
  return path;
}

/* Returns whether a loader's file contains the name of a variable; some lack OCL_ICD_FILENAMES. */
static bool knows(const char *loader, const char *variable) {
  size_t size;
  const char *bytes = tool_map_file(loader, &size);
  if (!bytes)
    return true;
  const bool found = memmem(bytes, size, variable, strlen(variable));
  tool_unmap_file(bytes, size);
  return found;
}

/*
 * Returns whether a driver is Intel's CPU runtime in a directory where it silently finds no device:
 * it splits its own path at blanks and semicolons, as if it were a list.
 */
static bool is_misplaced(void *driver) {
  struct link_map *map;
  char *real = dlinfo(driver, RTLD_DI_LINKMAP, &map) == 0 ? realpath(map->l_name, NULL) : NULL;
  const char *name = real ? strrchr(real, '/') + 1 : "";
  const bool is_misplaced =
      strncmp(name, "libintelocl.so", sizeof "libintelocl.so" - 1) == 0 && strpbrk(real, " \t\n;");
  free(real);
  return is_misplaced;
}

static bool is_advised;     /* advice about a driver was printed */
static bool has_gpu_driver; /* Intel's OpenCL driver for GPUs could be loaded */

static void print_driver(const char *library, const char *source) {
  printf("    OpenCL driver: %s (%s) ", library, source);
  fflush(stdout);
  void *driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!driver) {
    printf("cannot be loaded: %s\n", dlerror());
  } else if (!dlsym(driver, entry)) {
    printf("is no OpenCL driver: it has no %s\n", entry);
  } else if (is_misplaced(driver)) {
    puts("finds no device, because of a blank or a semicolon in the path of its directory, links "
         "followed\n"
         "    What to do: Install it into another directory, e.g. as the Python packages "
         "intel-opencl-rt and intel-cmplr-lib-rt or with SPECPI_DEPS for scripts/deps.sh, and set "
         "OCL_ICD_FILENAMES to the libintelocl.so there and LD_LIBRARY_PATH to that directory.");
    is_advised = true;
  } else {
    puts("can be loaded");
    has_gpu_driver |= strstr(library, "libigdrcl") != NULL;
  }
}

/* Advice for Intel's GPU driver without a GPU: to install a driver would be the wrong advice. */
static void advise_of_gpu_driver(void) {
  puts("    What to do: libigdrcl.so is for Intel's GPUs, and found none: see that one is there, "
       "and that the files under /dev/dri may be opened. For the CPU install Intel's runtime (the "
       "Python packages intel-opencl-rt and intel-cmplr-lib-rt), and set OCL_ICD_FILENAMES to its "
       "libintelocl.so and LD_LIBRARY_PATH to the directory of that; in specpi's source tree "
       ". build/env.sh does both.");
  is_advised = true;
}

/* Prints the driver of a .icd file, whose first line is the name of a library. */
static void print_icd(const char *path) {
  FILE *file = fopen(path, "re");
  char *line = NULL;
  size_t size = 0;
  const bool any = file && getline(&line, &size, file) > 0;
  if (any)
    line[strcspn(line, "\r\n")] = '\0';
  if (any && *line)
    print_driver(line, path);
  else
    printf("    OpenCL driver: %s %s\n", path, file ? "names no library" : "cannot be read");
  free(line);
  if (file)
    fclose(file);
}

static bool is_icd(const char *name) {
  const size_t size = strlen(name);
  return size > 4 && strcmp(name + size - 4, ".icd") == 0;
}

static int is_icd_entry(const struct dirent *found) {
  return is_icd(found->d_name);
}

/* Prints the driver of each .icd file in a directory. Returns whether there is such a file. */
static bool print_directory(const char *directory) {
  struct dirent **entries;
  const int count = scandir(directory, &entries, is_icd_entry, alphasort);
  for (int i = 0; i < count; i++) {
    char *path = tool_format("%s/%s", directory, entries[i]->d_name);
    print_icd(path);
    free(path);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
  return count > 0;
}

/* Prints the drivers of a colon-separated list. Returns whether the list has an entry. */
static bool print_files(const char *list) {
  bool any = false;
  while (*list) {
    const size_t size = strcspn(list, ":");
    if (size) {
      char *library = tool_format("%.*s", (int)size, list);
      print_driver(library, "OCL_ICD_FILENAMES");
      free(library);
      any = true;
    }
    list += size + (list[size] == ':');
  }
  return any;
}

/*
 * Prints the drivers that OCL_ICD_VENDORS names: it is a directory; some loaders take a .icd file
 * or a library as well. Returns whether it names a driver.
 */
static bool print_vendors(const char *vendors) {
  struct stat status;
  if (stat(vendors, &status) != 0 || S_ISDIR(status.st_mode))
    return print_directory(vendors);
  if (is_icd(vendors))
    print_icd(vendors);
  else
    print_driver(vendors, "OCL_ICD_VENDORS");
  return true;
}

bool drivers_print_opencl(bool is_idle) {
  char *loader = find_loaded("libOpenCL.so.1");
  if (!loader)
    return false;
  is_advised = has_gpu_driver = false;
  printf("    OpenCL loader: %s\n", loader);
  const char *files = getenv("OCL_ICD_FILENAMES");
  const char *vendors = getenv("OCL_ICD_VENDORS");
  bool any = false;
  if (files && *files) {
    if (knows(loader, "OCL_ICD_FILENAMES"))
      any = print_files(files);
    else
      puts("    OpenCL driver: this loader does not read OCL_ICD_FILENAMES");
  }
  if (!vendors || !*vendors)
    vendors = default_vendors;
  any |= print_vendors(vendors);
  if (!any)
    printf("    OpenCL driver: none is named, there is no .icd file in %s\n", vendors);
  if (is_idle && has_gpu_driver && !is_advised)
    advise_of_gpu_driver();
  free(loader);
  return is_advised;
}

/* Prints one driver of ZE_ENABLE_ALT_DRIVERS. */
static void print_alternative(const char *name) {
  char *path = find_loaded(name);
  if (path)
    printf("    Level Zero driver: %s (ZE_ENABLE_ALT_DRIVERS)\n", path);
  else if (strchr(name, '/') && access(name, R_OK) != 0)
    printf("    Level Zero driver: %s (ZE_ENABLE_ALT_DRIVERS): %s\n", name, strerror(errno));
  else
    printf("    Level Zero driver: %s (ZE_ENABLE_ALT_DRIVERS) is not loaded\n", name);
  free(path);
}

static void print_alternatives(const char *names) {
  while (*names) {
    const size_t length = strcspn(names, ",");
    if (length) {
      char *name = tool_format("%.*s", (int)length, names);
      print_alternative(name);
      free(name);
    }
    names += length + (names[length] == ',');
  }
}

bool drivers_print_level_zero(bool is_idle) {
  (void)is_idle;
  static const char *const known[] = {"libze_intel_gpu.so.1", "libze_intel_gpu_legacy1.so.1",
                                      "libze_intel_npu.so.1", "libze_intel_vpu.so.1"};
  char *loader = find_loaded("libze_loader.so.1");
  if (!loader)
    return false;
  printf("    Level Zero loader: %s\n", loader);
  free(loader);
  const char *alternatives = getenv("ZE_ENABLE_ALT_DRIVERS");
  if (alternatives && *alternatives) {
    print_alternatives(alternatives);
    return false;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    char *path = find_loaded(known[i]);
    if (path)
      printf("    Level Zero driver: %s\n", path);
    free(path);
  }
  return false;
}

bool drivers_print_cuda(bool is_idle) {
  (void)is_idle;
  char *path = find_loaded("libcuda.so.1");
  if (path)
    printf("    CUDA driver: %s\n", path);
  free(path);
  return false;
}
