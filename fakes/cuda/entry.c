/* Entry points of the fake CUDA driver: cuInit, versions, names of errors, cuGetProcAddress. */
#define _GNU_SOURCE /* RTLD_DEFAULT, dladdr */
#include "../../plugins/cuda/driver.h"

#include "fake.h"
#include "result.h"

#include <dlfcn.h>
#include <stdio.h>

/*
 * A table of all functions in the plugin's list. If the fake driver does not define one of them,
 * the library does not link. Each has its type in the listed version.
 */
#define FAKE_DECLARE(name, symbol, version)                                                        \
  extern __typeof__(*(PFN_cu##name##_v##version)0) fake_symbol_##name##_##version __asm__(symbol);
CUDA_REQUIRED(FAKE_DECLARE)
CUDA_OPTIONAL(FAKE_DECLARE)
#undef FAKE_DECLARE

typedef void fake_function(void);

typedef struct fake_row {
  const char *name, *symbol;
  int version;
  fake_function *function;
} fake_row;

static const fake_row rows[] = {
#define FAKE_ROW(name, symbol, version)                                                            \
  {"cu" #name, symbol, version, (fake_function *)fake_symbol_##name##_##version},
    CUDA_REQUIRED(FAKE_ROW) CUDA_OPTIONAL(FAKE_ROW)
#undef FAKE_ROW
};

CUresult cuInit(unsigned int flags) {
  FAKE_ENTER(cuInit, NOTHING);
  FAKE_REQUIRE(flags == 0, INVALID_VALUE, "cuInit: flags are %u, not 0", flags);
  return fake_initialize();
}

CUresult cuDriverGetVersion(int *version) {
  FAKE_ENTER(cuDriverGetVersion, NOTHING);
  FAKE_REQUIRE(version, INVALID_VALUE, "cuDriverGetVersion: version is NULL");
  *version = fake_environment.version;
  return CUDA_SUCCESS;
}

typedef struct fake_result {
  const char *name, *text;
} fake_result;

static const fake_result *find_result(CUresult code) {
  switch (code) {
#define FAKE_RESULT(NAME, text)                                                                    \
  case CUDA_##NAME: {                                                                              \
    static const fake_result result = {"CUDA_" #NAME, text};                                       \
    return &result;                                                                                \
  }
    FAKE_RESULTS(FAKE_RESULT)
#undef FAKE_RESULT
  default:
    return NULL;
  }
}

CUresult cuGetErrorName(CUresult code, const char **name) {
  FAKE_ENTER(cuGetErrorName, NOTHING);
  FAKE_REQUIRE(name, INVALID_VALUE, "cuGetErrorName: the place for the name is NULL");
  const fake_result *result = find_result(code);
  *name = result ? result->name : NULL;
  return result ? CUDA_SUCCESS : fake_deny(CUDA_ERROR_INVALID_VALUE, "no CUresult is %d", code);
}

CUresult cuGetErrorString(CUresult code, const char **text) {
  FAKE_ENTER(cuGetErrorString, NOTHING);
  FAKE_REQUIRE(text, INVALID_VALUE, "cuGetErrorString: the place for the text is NULL");
  const fake_result *result = find_result(code);
  *text = result ? result->text : NULL;
  return result ? CUDA_SUCCESS : fake_deny(CUDA_ERROR_INVALID_VALUE, "no CUresult is %d", code);
}

/* Finds an exported function that is not in the plugin's list, in its newest version. */
static void *find_export(const char *name) {
  static const char *const suffixes[] = {"_v3", "_v2", ""};
  Dl_info self;
  if (!dladdr((void *)(uintptr_t)cuInit, &self))
    return NULL;
  void *library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return NULL;
  void *found = NULL;
  for (size_t i = 0; !found && i < sizeof suffixes / sizeof suffixes[0]; i++) {
    char symbol[128];
    if ((size_t)snprintf(symbol, sizeof symbol, "%s%s", name, suffixes[i]) < sizeof symbol)
      found = dlsym(library, symbol);
  }
  dlclose(library);
  return found;
}

/* Finds a function's newest version up to the given one, even if the driver's is older. */
static CUresult find_function(const char *name, int version, void **ret,
                              CUdriverProcAddressQueryResult *status) {
  const fake_row *best = NULL;
  bool known = false;
  const int newest = version < fake_environment.version ? version : fake_environment.version;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, name) != 0)
      continue;
    known = true;
    if (rows[i].version <= newest && (!best || best->version < rows[i].version))
      best = &rows[i];
  }
  void *found = best ? (void *)(uintptr_t)best->function : known ? NULL : find_export(name);
  *ret = found;
  if (status)
    *status = found   ? CU_GET_PROC_ADDRESS_SUCCESS
              : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                      : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  /* If the caller wants the status, an unknown name is no failure. */
  return found || status
             ? CUDA_SUCCESS
             : fake_deny(CUDA_ERROR_NOT_FOUND, "cuGetProcAddress: no %s up to %d", name, version);
}

static CUresult check_query(const char *name, void **function, int version, cuuint64_t flags) {
  FAKE_REQUIRE(name && function, INVALID_VALUE, "cuGetProcAddress: NULL for the name or the place");
  FAKE_REQUIRE(version >= 2000, INVALID_VALUE, "cuGetProcAddress: there was no CUDA %d", version);
  FAKE_REQUIRE(flags <= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, INVALID_VALUE,
               "cuGetProcAddress: unknown flags");
  if (flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuGetProcAddress: no forms for default streams of "
                                               "a thread");
  return CUDA_SUCCESS;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags) {
  FAKE_ENTER(cuGetProcAddress, NOTHING);
  FAKE_TRY(check_query(symbol, pfn, cudaVersion, flags));
  return find_function(symbol, cudaVersion, pfn, NULL);
}

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus) {
  FAKE_ENTER(cuGetProcAddress_v2, NOTHING);
  FAKE_TRY(check_query(symbol, pfn, cudaVersion, flags));
  return find_function(symbol, cudaVersion, pfn, symbolStatus);
}

CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  FAKE_ENTER(cuGetExportTable, NOTHING);
  FAKE_REQUIRE(table && id, INVALID_VALUE, "cuGetExportTable: NULL");
  *table = NULL;
  return fake_deny(CUDA_ERROR_NOT_FOUND, "cuGetExportTable: there are no such tables");
}
