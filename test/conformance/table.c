/* Loads the plugin's table, and makes the table that tests call, which counts the calls. */
#include "check.h"

#include <dlfcn.h>

conformance_test *conformance_tests;
shared_state *shared;
pi_plugin plugin;
bool builds_only;
bool all_devices;
piPluginInit_fn *plugin_init;
_Thread_local int last_entry;

void conformance_register(conformance_test *test) {
  conformance_test **end = &conformance_tests;
  while (*end)
    end = &(*end)->next;
  *end = test;
}

static void after_call(int entry, pi_result result);

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  static pi_result counted_##name parameters {                                                     \
    const pi_result result = plugin.PiFunctionTable.name arguments;                                \
    after_call(PI_INDEX_##name, result);                                                           \
    return result;                                                                                 \
  }
#include <pi/pi_functions.def>

const pi_function_table pi = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = counted_##name,
#include <pi/pi_functions.def>
};

static const char *const entry_names[] = {
#define PI_FUNCTION(name, since, parameters, arguments) #name,
#include <pi/pi_functions.def>
};

const char *entry_name(int entry) {
  return entry_names[entry];
}

/* Returns whether an entry puts a command into a queue. */
static bool is_command(int entry) {
  static const char *const words[] = {"Enqueue", "piextMemImageCopy", "piextWaitExternal",
                                      "piextSignalExternal"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(entry_names[entry], words[i]))
      return true;
  return false;
}

static void after_call(int entry, pi_result result) {
  last_entry = entry;
  atomic_fetch_add_explicit(&shared->entries[entry].calls, 1, memory_order_relaxed);
  if (builds_only && result == PI_SUCCESS && is_command(entry))
    end_as_built();
}

bool plugin_load(const char *file, char text[TEXT_SIZE]) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(text, TEXT_SIZE, "%s", dlerror());
    return false;
  }
  void *symbol = dlsym(library, "piPluginInit");
  if (!symbol) {
    snprintf(text, TEXT_SIZE, "%s has no piPluginInit", file);
    return false;
  }
  memcpy(&plugin_init, &symbol, sizeof symbol);

  memset(&plugin, 0, sizeof plugin);
  snprintf(plugin.PiVersion, PI_VERSION_SIZE, "%s", PI_VERSION_STRING);
  snprintf(plugin.PluginVersion, PI_VERSION_SIZE, "%s", PI_VERSION_STRING);
  const pi_result result = plugin_init(&plugin);
  if (result != PI_SUCCESS) {
    snprintf(text, TEXT_SIZE, "piPluginInit refuses version %s with %d", PI_VERSION_STRING, result);
    return false;
  }
  void *entries[PI_FUNCTION_COUNT];
  memcpy(entries, &plugin.PiFunctionTable, sizeof entries);
  for (int i = 0; i < PI_FUNCTION_COUNT; i++)
    if (!entries[i]) {
      snprintf(text, TEXT_SIZE, "entry %d of the table, %s, is NULL", i, entry_name(i));
      return false;
    }
  return true;
}

/*
 * Halves of an entry's coverage that no test can show on any device, with the reason. The report
 * prints them, so that nobody takes them for covered. Tests add more per device with cannot_show.
 */
static const struct {
  int entry;
  bool good; /* the missing half: good or bad input */
  const char *reason;
} not_shown[] = {
    {PI_INDEX_piTearDown, false, "it ignores its argument, so nothing is bad"},
    {PI_INDEX_piextEnqueueReadHostPipe, true, "only FPGA compilers make a program with a pipe"},
    {PI_INDEX_piextEnqueueWriteHostPipe, true, "only FPGA compilers make a program with a pipe"},
};

static const char *why_not_shown(int entry, bool good) {
  for (size_t i = 0; i < sizeof not_shown / sizeof not_shown[0]; i++)
    if (not_shown[i].entry == entry && not_shown[i].good == good)
      return not_shown[i].reason;
  return *shared->not_shown[entry][good] ? shared->not_shown[entry][good] : NULL;
}

/* Prints one half of an entry's coverage if it is missing; returns 1 if no reason excuses that. */
static int judge(int entry, bool good, unsigned count) {
  if (count > 0)
    return 0;
  const char *half = good ? "good input that is accepted" : "bad input that is refused";
  const char *reason = why_not_shown(entry, good);
  printf("%s  %s: no %s%s%s\n", reason ? "not shown" : "UNCOVERED", entry_names[entry], half,
         reason ? ": " : "", reason ? reason : "");
  return reason == NULL;
}

int coverage_report(void) {
  int gaps = 0;
  int complete = 0;
  for (int i = 0; i < PI_FUNCTION_COUNT; i++) {
    const entry_counts *entry = &shared->entries[i];
    const unsigned good = atomic_load(&entry->good);
    const unsigned bad = atomic_load(&entry->bad);
    complete += good > 0 && bad > 0;
    if (atomic_load(&entry->calls) == 0) {
      printf("UNCOVERED  %s: never called\n", entry_names[i]);
      gaps++;
    } else {
      gaps += judge(i, true, good) + judge(i, false, bad);
    }
  }
  printf("coverage: %d of %d entries with good and bad input\n", complete, PI_FUNCTION_COUNT);
  return gaps;
}
