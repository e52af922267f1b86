#include "table.h"

#include "../plugins/base/cancellation.h"
#include "../plugins/objects/handle.h"
#include "release.h"
#include "result.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void entry(void);

/* The position of each table in the record of each release, and its number of entries. */
static const struct {
  int16_t first;
  int16_t count;
} tables[][UR_RELEASE_COUNT] = {
#define UR_TABLE(name, f0, c0, f1, c1, f2, c2, f3, c3, f4, c4, f5, c5, f6, c6)                     \
  {{f0, c0}, {f1, c1}, {f2, c2}, {f3, c3}, {f4, c4}, {f5, c5}, {f6, c6}},
#include <ur/ur_tables.def>
};
static const char *const table_names[] = {
#define UR_TABLE(name, ...) #name,
#include <ur/ur_tables.def>
};

/* The entries that a launch calls. They are used without the wrapper below. */
#define CANCELLATION_AT_urEnqueueKernelLaunch ,
#define CANCELLATION_AT_urKernelSetArgValue ,
#define CANCELLATION_AT_urKernelSetArgLocal ,
#define CANCELLATION_AT_urKernelSetArgPointer ,
#define CANCELLATION_AT_urKernelSetArgMemObj ,
#define CANCELLATION_AT_urKernelSetArgSampler ,
#define CANCELLATION_AT_urKernelSetExecInfo ,
#define CANCELLATION_AT_urKernelRetain ,
#define CANCELLATION_AT_urKernelRelease ,
#define CANCELLATION_AT_urEventRetain ,
#define CANCELLATION_AT_urEventRelease ,
#define CANCELLATION_AT_urEventGetInfo ,
#define CANCELLATION_AT_urEnqueueKernelLaunchWithArgsExp ,

/* Wrappers of all other entries that protect them from thread cancellation. */
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  __attribute__((unused)) static ur_result_t whole_##name parameters {                             \
    WITHOUT_CANCELLATION;                                                                          \
    return name arguments;                                                                         \
  }
#include <ur/ur_functions.def>

/* Every function, once for each table that contains it. */
static const struct {
  entry *function;
  ur_table table;
  int16_t places[UR_RELEASE_COUNT];
} entries[] = {
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  {(entry *)CANCELLATION_ENTRY(name), UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#define UR_ALSO(table, function, name, p0, p1, p2, p3, p4, p5, p6)                                 \
  {(entry *)CANCELLATION_ENTRY(name), UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#include <ur/ur_functions.def>
};

/*
 * The record that loaders since 2025.3 read through handles. It has the size of the largest record
 * of all releases. It is filled before the first object is made, and then never changes.
 */
enum { RECORD_WORDS = 256 };
#define UR_RELEASE(name, text, version, words, mark)                                               \
  _Static_assert(words <= RECORD_WORDS, "a record is longer");
#include <ur/ur_releases.def>
entry *table_record[RECORD_WORDS];
const void *const object_face = table_record;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ur_release release = UR_RELEASE_COUNT;
static bool is_told;   /* stderr has the line about a refused loader */
static bool is_broken; /* the loader was accepted, but its tables have an unknown layout */

/* The start of the calling loader's record. A loader asks for all its tables on one thread. */
static _Thread_local const char *loader_record;

ur_release table_release(void) {
  pthread_mutex_lock(&lock);
  const ur_release current = is_broken ? UR_RELEASE_COUNT : release;
  pthread_mutex_unlock(&lock);
  return current;
}

/*
 * Refuses a loader, and prints the reason, because loaders drop an adapter silently. The line is
 * printed once, although a loader asks for two dozen tables.
 */
static ur_result_t refuse_loader(const char *reason) {
  if (!is_told)
    fprintf(stderr, "specpi: " ADAPTER_FILE " cannot serve this runtime: %s; it knows %s\n", reason,
            release_texts());
  is_told = true;
  return face_error(UR_RESULT_ERROR_UNSUPPORTED_VERSION, "%s", reason);
}

static void fill_record(ur_release asked) {
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (entries[i].places[asked] >= 0)
      table_record[tables[entries[i].table][asked].first + entries[i].places[asked]] =
          entries[i].function;
}

static ur_result_t check_release(ur_api_version_t version, const void *caller) {
  char reason[160];
  const ur_release asked = release_find(version, caller);
  if (asked == UR_RELEASE_COUNT) {
    snprintf(reason, sizeof reason, "it asks for version %u.%u, and is of no release that is known",
             (unsigned)UR_MAJOR_VERSION(version), (unsigned)UR_MINOR_VERSION(version));
    return refuse_loader(reason);
  }
  if (release != UR_RELEASE_COUNT && release != asked) {
    snprintf(reason, sizeof reason, "it is of release %s, and one of %s is in this process",
             release_text(asked), release_text(release));
    return refuse_loader(reason);
  }
  if (release == UR_RELEASE_COUNT) {
    release = asked;
    fill_record(asked);
  }
  return UR_RESULT_SUCCESS;
}

/*
 * Checks the position of a table. A loader's tables lie in one record, so the first one determines
 * where the others must be; a difference reveals an unknown layout. A loader first asks for the
 * table that has urAdapterGet: this starts a new record.
 */
static ur_result_t check_place(ur_table table, const char *place) {
  char reason[160];
  const int first = tables[table][release].first;
  if (first < 0) {
    is_broken = true;
    snprintf(reason, sizeof reason, "it asks for the table %s, which %s has not",
             table_names[table], release_text(release));
    return refuse_loader(reason);
  }
  const char *begin = place - (size_t)first * sizeof(entry *);
  if (!loader_record || table == UR_TABLE_Adapter || table == UR_TABLE_Global)
    loader_record = begin;
  if (begin != loader_record) {
    is_broken = true;
    snprintf(reason, sizeof reason, "its table %s is %td bytes from where that of %s is",
             table_names[table], begin - loader_record, release_text(release));
    return refuse_loader(reason);
  }
  return UR_RESULT_SUCCESS;
}

/*
 * Entries for UR's loader of version 0.9, which comes with the runtime of 2024.2. That runtime uses
 * plugins of PI, but its UR loader counts adapters, too: it calls the first entries of table Global
 * even after a refusal, and at its end releases the adapter that it got, even NULL. So it gets an
 * adapter without platforms. Nothing is printed, because the user misses nothing.
 */
static ur_result_t get_empty_adapter(uint32_t NumEntries, ur_adapter_handle_t *phAdapters,
                                     uint32_t *pNumAdapters) {
  static char empty;
  if (phAdapters && NumEntries > 0)
    phAdapters[0] = (ur_adapter_handle_t)&empty;
  if (pNumAdapters)
    *pNumAdapters = 1;
  return UR_RESULT_SUCCESS;
}

static ur_result_t keep_empty_adapter(ur_adapter_handle_t hAdapter) {
  (void)hAdapter;
  return UR_RESULT_SUCCESS;
}

static ur_result_t get_no_platform(const ur_adapter_handle_t *phAdapters, uint32_t NumAdapters,
                                   uint32_t NumEntries, ur_platform_handle_t *phPlatforms,
                                   uint32_t *pNumPlatforms) {
  (void)phAdapters;
  (void)NumAdapters;
  (void)NumEntries;
  (void)phPlatforms;
  if (pNumPlatforms)
    *pNumPlatforms = 0;
  return UR_RESULT_SUCCESS;
}

static ur_result_t refuse_runtime_of_pi(ur_table table, void *place) {
  entry *const global[] = {(entry *)get_empty_adapter, (entry *)keep_empty_adapter,
                           (entry *)keep_empty_adapter};
  entry *const platform[] = {(entry *)get_no_platform};
  if (table == UR_TABLE_Global)
    memcpy(place, global, sizeof global);
  if (table == UR_TABLE_Platform)
    memcpy(place, platform, sizeof platform);
  return face_error(UR_RESULT_ERROR_UNSUPPORTED_VERSION, "a runtime that takes plugins of PI");
}

static ur_result_t fill_table(ur_table table, ur_api_version_t version, void *place,
                              const void *caller) {
  WITHOUT_CANCELLATION;
  UR_REQUIRE(place, UR_RESULT_ERROR_INVALID_NULL_POINTER, "the table %s is NULL",
             table_names[table]);
  if ((uint32_t)version == UR_MAKE_VERSION(0u, 9u))
    return refuse_runtime_of_pi(table, place);
  pthread_mutex_lock(&lock);
  ur_result_t result = check_release(version, caller);
  if (result == UR_RESULT_SUCCESS)
    result = check_place(table, place);
  if (result == UR_RESULT_SUCCESS)
    memcpy(place, table_record + tables[table][release].first,
           (size_t)tables[table][release].count * sizeof(entry *));
  pthread_mutex_unlock(&lock);
  return result;
}

#define UR_TABLE(name, ...)                                                                        \
  __attribute__((visibility("default")))                                                           \
  ur_result_t urGet##name##ProcAddrTable(ur_api_version_t version, void *table) {                  \
    return fill_table(UR_TABLE_##name, version, table, __builtin_return_address(0));               \
  }
#include <ur/ur_tables.def>
