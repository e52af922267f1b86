/* Entry points of the fake Level Zero driver: the tables of its functions. */
#include "entry.h"

/*
 * Declares each function weakly, and defines a function that refuses the call if no file defines
 * it. All are hidden, so that the loader's functions of the same names cannot replace them.
 */
#define FAKE_FUNCTION(Table, Object, Name)                                                         \
  extern __typeof__(ze##Object##Name) ze##Object##Name __attribute__((weak));                      \
  static ze_result_t unsupported_ze##Object##Name(void) {                                          \
    FAKE_ENTER(ze##Object##Name);                                                                  \
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "ze" #Object #Name " is not there");     \
  }
#define FAKE_TABLE(Table, type, LIST) LIST(FAKE_FUNCTION, Table)
FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE
#undef FAKE_FUNCTION

#define FAKE_FILL(Table, Object, Name)                                                             \
  table->pfn##Name =                                                                               \
      fake_null(FAKE_ID_ze##Object##Name)                                                          \
          ? (__typeof__(table->pfn##Name))fake_null(FAKE_ID_ze##Object##Name)                      \
      : ze##Object##Name                                                                           \
          ? ze##Object##Name                                                                       \
          : (__typeof__(table->pfn##Name))(fake_function *)unsupported_ze##Object##Name;

#define FAKE_TABLE(Table, type, LIST)                                                              \
  ze_result_t fake_ze_get_##Table(ze_api_version_t version, ze_##type##_dditable_t *table) {       \
    if (!table)                                                                                    \
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;                                                 \
    if (ZE_MAJOR_VERSION(version) != 1)                                                            \
      return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;                                                  \
    LIST(FAKE_FILL, Table)                                                                         \
    return ZE_RESULT_SUCCESS;                                                                      \
  }
FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE
#undef FAKE_FILL
