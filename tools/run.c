/*
 * specpi run: starts a SYCL program with our plugins instead of the ones in its libsycl's
 * directory, or with our adapters of Unified Runtime.
 */
#define _GNU_SOURCE /* realpath, setenv, strcasestr, strsignal */
#include "adapters.h"
#include "codegen.h"
#include "overlay.h"
#include "release.h"
#include "resolve.h"
#include "runtime.h"
#include "tool.h"

#include "../plugins/base/child.h"
#include "../plugins/base/level_zero_served.h"
#include "../plugins/base/nearest.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "Usage: specpi run [--cuda] [--sycl-rt DIR] [--plugins DIR] [--verbose] [--]\n"
    "                  COMMAND [ARGUMENT...]\n"
    "Runs a program of DPC++'s SYCL runtime on specpi's adapters or plugins. Nothing of the\n"
    "installation is changed. A runtime of 2025 or 2026 (libsycl.so.8, .so.9) finds the\n"
    "adapters of Unified Runtime by a variable. For one of 2024.2 (libsycl.so.7) a copy of\n"
    "libsycl, with the plugins beside it, lies in the user's cache directory and is preloaded. A\n"
    "program of libspecpi alone (include/sycl) needs none of this, and is just started. The exit\n"
    "status is the program's; 127 if there is no such program, 126 if it cannot be run, 1 if\n"
    "specpi fails before.\n"
    "\n"
    "  --cuda          let NVIDIA's GPUs appear as level_zero, in ONEAPI_DEVICE_SELECTOR, too:\n"
    "                  libsycl gives devices of cuda no SPIR-V, and sets no constants for them.\n"
    "                  SPECPI_CUDA_BACKEND names another backend than level_zero. Without --cuda\n"
    "                  the GPUs appear so as well, unless the selector names cuda. With it the\n"
    "                  CUDA plugin stands in the place of that backend's, the CUDA adapter is\n"
    "                  loaded whatever the selector names, and a missing GPU is explained\n"
    "  --sycl-rt DIR   the directory of the SYCL runtime; otherwise it is searched: as the "
    "dynamic\n"
    "                  linker would, in LD_LIBRARY_PATH, beside the program, in the active\n"
    "                  Python, Conda or oneAPI environment, in ldconfig's cache\n"
    "  --plugins DIR   the directory of the plugins or adapters; otherwise SPECPI_PLUGIN_PATH and\n"
    "                  specpi's own\n"
    "  -v, --verbose   print to stderr what was found and what is set\n"
    "  -h, --help      print this text\n";

/* The command line. */
typedef struct order {
  const char *runtime_directory;
  const char *plugin_directory;
  bool cuda;
  bool verbose;
  char **command;
} order;

/* The plugins to use, at most one per backend. clear_plugins frees the paths. */
typedef struct plugin_list {
  overlay_plugin items[SPECPI_BACKEND_COUNT];
  size_t count;
} plugin_list;

/* Adds a directory's plugins for the backends that have none yet. */
static void add_plugins(plugin_list *list, const char *directory, bool *taken) {
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++) {
    if (taken[b])
      continue;
    const char *name = specpiBackendGetFileName((specpi_backend)b);
    char *path = tool_format("%s/%s", directory, name);
    if (access(path, R_OK) == 0) {
      list->items[list->count++] = (overlay_plugin){path, name};
      taken[b] = true;
    } else {
      free(path);
    }
  }
}

static bool find_plugins_in(const char *directory, plugin_list *list) {
  char *absolute = realpath(directory, NULL);
  if (!absolute) {
    tool_error("--plugins %s: %s", directory, strerror(errno));
    return false;
  }
  bool taken[SPECPI_BACKEND_COUNT] = {false};
  add_plugins(list, absolute, taken);
  if (list->count == 0)
    tool_error("--plugins %s: none of the plugins lies there, e.g. %s", directory,
               specpiBackendGetFileName(SPECPI_BACKEND_OPENCL));
  free(absolute);
  return list->count != 0;
}

static bool find_plugins(plugin_list *list) {
  size_t count;
  const char **directories = tool_plugin_directories(&count);
  if (!directories)
    return false;
  bool taken[SPECPI_BACKEND_COUNT] = {false};
  for (size_t i = 0; i < count; i++)
    add_plugins(list, directories[i], taken);
  if (list->count == 0) {
    tool_error(
        "there is no plugin in the directories where specpi looks; name one with --plugins:");
    for (size_t i = 0; i < count; i++)
      fprintf(stderr, "  %s\n", directories[i]);
  }
  free(directories);
  return list->count != 0;
}

/* ---- The CUDA plugin under another name ---- */

static const char variable[] = "SPECPI_CUDA_BACKEND";
static const char selector[] = "ONEAPI_DEVICE_SELECTOR";

/* Finds the backend that the CUDA plugin shall report. Returns false after an error. */
static bool find_backend(specpi_backend *ret) {
  const char *name = getenv(variable);
  *ret = SPECPI_BACKEND_LEVEL_ZERO;
  if (!name || !*name)
    return true;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    if (strcmp(specpiBackendGetName((specpi_backend)b), name) == 0) {
      *ret = (specpi_backend)b;
      return true;
    }
#define BACKEND_NAME(NAME, name, file) ", " #name
  static const char names[] = SPECPI_BACKENDS(BACKEND_NAME);
  tool_error("%s is \"%s\", expected is one of %s", variable, name, names + strlen(", "));
  return false;
}

/*
 * Puts the CUDA plugin into a backend's place in the list. This is needed because
 * ONEAPI_DEVICE_SELECTOR decides twice: libsycl opens the plugin with the file name of the selected
 * backend, and takes only the devices that report that backend. Returns false after an error.
 */
static bool take_name(plugin_list *list, specpi_backend backend) {
  const char *own = specpiBackendGetFileName(SPECPI_BACKEND_CUDA);
  const char *wanted = specpiBackendGetFileName(backend);
  size_t kept = 0;
  bool found = false;
  for (size_t i = 0; i < list->count; i++) {
    overlay_plugin plugin = list->items[i];
    const bool is_cuda = strcmp(plugin.name, own) == 0;
    if (!is_cuda && strcmp(plugin.name, wanted) == 0) {
      free(plugin.path);
      continue;
    }
    list->items[kept++] = (overlay_plugin){plugin.path, is_cuda ? wanted : plugin.name};
    found |= is_cuda;
  }
  list->count = kept;
  if (!found)
    tool_error("--cuda: there is no %s in the directories of the plugins", own);
  return found;
}

/* Returns whether the value of a selector's or filter's variable names the backend cuda. */
static bool names_cuda(const char *name) {
  const char *value = getenv(name);
  return value && strcasestr(value, specpiBackendGetName(SPECPI_BACKEND_CUDA));
}

/*
 * Returns the backend that the CUDA plugin shall report without --cuda: cuda if the user selects
 * devices by that name, else level_zero, because libsycl passes SPIR-V to its devices. Returns NULL
 * if the user has set the variable, or if there is no CUDA plugin.
 */
static const char *choose_report(const plugin_list *list) {
  const char *own = specpiBackendGetFileName(SPECPI_BACKEND_CUDA);
  const char *value = getenv(variable);
  bool found = false;
  for (size_t i = 0; i < list->count; i++)
    found |= strcmp(list->items[i].name, own) == 0;
  if (!found || (value && *value))
    return NULL;
  return specpiBackendGetName(names_cuda(selector) || names_cuda("SYCL_DEVICE_FILTER")
                                  ? SPECPI_BACKEND_CUDA
                                  : SPECPI_BACKEND_LEVEL_ZERO);
}

/* Returns a selector with "cuda" replaced by another backend's name. The caller frees it. */
static char *rename_cuda(const char *text, specpi_backend backend) {
  const char *own = specpiBackendGetName(SPECPI_BACKEND_CUDA);
  char *made = tool_format("%s", "");
  while (*text) {
    const size_t mark = strspn(text, "! ");
    const size_t length = strcspn(text, ";");
    const size_t name = strlen(own);
    const bool is_own = mark + name < length && strncasecmp(text + mark, own, name) == 0 &&
                        text[mark + name] == ':';
    const size_t end = length + (text[length] == ';');
    const size_t from = mark + (is_own ? name : 0);
    char *longer =
        tool_format("%s%.*s%s%.*s", made, (int)mark, text,
                    is_own ? specpiBackendGetName(backend) : "", (int)(end - from), text + from);
    free(made);
    made = longer;
    text += end;
  }
  return made;
}

/*
 * Prints why the CUDA plugin at a path has no device, if it has none. Call it in a child process
 * only: it changes SPECPI_PLUGIN_PATH and loads drivers.
 */
static void report_cuda(const char *path) {
  char *directory = tool_format("%.*s", (int)(strrchr(path, '/') - path), path);
  /* libspecpi does not search the directory of --plugins otherwise. */
  setenv("SPECPI_PLUGIN_PATH", directory, 1);
  free(directory);
  size_t count;
  specpi_plugin *plugins = tool_plugins(SPECPI_BACKEND_CUDA, &count);
  for (size_t i = 0; plugins && i < count; i++)
    if (specpiPluginGetState(plugins[i]) != SPECPI_PLUGIN_ABSENT) {
      if (specpiPluginGetState(plugins[i]) != SPECPI_PLUGIN_READY)
        tool_error("--cuda: the CUDA plugin has no device: %s", specpiPluginGetReason(plugins[i]));
      break;
    }
  free(plugins);
}

/*
 * Prints why the CUDA plugin of a list has no device, if it has none, because libsycl would
 * silently use other devices. It loads the driver in a child process, because this process becomes
 * the program.
 */
static void check_cuda(const plugin_list *list) {
  const char *own = specpiBackendGetFileName(SPECPI_BACKEND_CUDA);
  const char *path = NULL;
  for (size_t i = 0; i < list->count && !path; i++)
    if (strcmp(strrchr(list->items[i].path, '/') + 1, own) == 0)
      path = list->items[i].path;
  const pid_t child = path ? child_fork() : -1;
  if (child == 0) {
    report_cuda(path);
    _exit(TOOL_SUCCESS);
  }
  int status = 0;
  if (child > 0)
    (void)child_wait(child, &status);
  if (WIFSIGNALED(status))
    tool_error("--cuda: the CUDA plugin ends a process with signal %d (%s)", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
}

static void set_variable(const order *order, const char *name, const char *value) {
  if (setenv(name, value, 1) != 0)
    tool_no_memory();
  if (order->verbose)
    fprintf(stderr, "specpi: %s=%s\n", name, value);
}

/* With --cuda: sets the backend that CUDA's devices report, and renames it in the selector. */
static void set_backend(const order *order, specpi_backend backend) {
  const char *text = getenv(selector);
  set_variable(order, variable, specpiBackendGetName(backend));
  if (!text || backend == SPECPI_BACKEND_CUDA)
    return;
  char *renamed = rename_cuda(text, backend);
  if (strcmp(renamed, text) != 0)
    set_variable(order, selector, renamed);
  free(renamed);
}

/*
 * Without --cuda: sets the backend that CUDA's devices report. Warns about cuda, because libsycl's
 * error for SPIR-V on such a device does not tell what to do.
 */
static void set_report(const order *order, const char *report) {
  set_variable(order, variable, report);
  if (strcmp(report, specpiBackendGetName(SPECPI_BACKEND_CUDA)) == 0)
    tool_error("the selector names cuda, and to devices of that name libsycl gives PTX alone; "
               "with --cuda they take SPIR-V, which most programs have");
}

/*
 * Returns the value of LD_PRELOAD: the copy of libsycl, if there is one, and the user's list. It
 * drops a libsycl from the user's list, which comes from an outer specpi run, because a process can
 * have only one.
 */
static char *preload_list(const char *library, const char *list) {
  char *value = tool_format("%s", library ? library : "");
  while (list && *list) {
    const size_t size = strcspn(list, ": ");
    char *entry = tool_format("%.*s", (int)size, list);
    const char *slash = strrchr(entry, '/');
    if (size && !runtime_is_libsycl(slash ? slash + 1 : entry)) {
      char *longer = tool_format("%s%s%s", value, *value ? ":" : "", entry);
      free(value);
      value = longer;
    }
    free(entry);
    list += size + (list[size] != '\0');
  }
  return value;
}

static void set_preload(const order *order, const char *library) {
  char *preload = preload_list(library, getenv("LD_PRELOAD"));
  set_variable(order, "LD_PRELOAD", preload);
  free(preload);
}

/* Adds a directory to LD_LIBRARY_PATH, at its start or its end, unless it is there already. */
static void search_libraries(const order *order, const char *directory, bool is_first) {
  const char *path = getenv("LD_LIBRARY_PATH");
  if (path && tool_list_has(path, ':', directory, strlen(directory)))
    return;
  char *value = !path || !*path ? tool_format("%s", directory)
                : is_first      ? tool_format("%s:%s", directory, path)
                                : tool_format("%s:%s", path, directory);
  set_variable(order, "LD_LIBRARY_PATH", value);
  free(value);
}

/* Lets the program find the files in the directory of the original libsycl. */
static void set_directory(const order *order, const runtime *runtime) {
  /* At the end, so that the user's directories still come first. */
  search_libraries(order, runtime->directory, false);
  /* The CPU runtime that comes with libsycl. Its .icd file has a path on the packager's machine. */
  char *driver = tool_format("%s/libintelocl.so", runtime->directory);
  if (!getenv("OCL_ICD_FILENAMES") && access(driver, R_OK) == 0)
    set_variable(order, "OCL_ICD_FILENAMES", driver);
  free(driver);
}

/* Returns whether LD_LIBRARY_PATH can contain a directory; prints an error if not. */
static bool is_searchable(const char *directory) {
  if (!strpbrk(directory, ":;$"))
    return true;
  tool_error(
      "%s: LD_LIBRARY_PATH cannot have a directory with a colon, a semicolon or a dollar sign; "
      "copy the runtime to another one and name that with --sycl-rt",
      directory);
  return false;
}

/* ---- A program that uses libspecpi and no libsycl ---- */

static bool is_libspecpi(const char *name) {
  static const char own[] = "libspecpi.so";
  return strncmp(name, own, sizeof own - 1) == 0 && strchr(".", name[sizeof own - 1]);
}

static bool is_linked_to(const char *program, bool (*wanted)(const char *name)) {
  char *name;
  char *path;
  if (!resolve_library(program, wanted, &name, &path))
    return false;
  free(name);
  free(path);
  return true;
}

/*
 * Returns whether a program uses libspecpi and no libsycl, like programs with the headers in
 * include/sycl. They must not get a libsycl: it would receive the images that they register, and
 * libspecpi would find no kernel.
 */
static bool needs_no_libsycl(const char *command) {
  char *interpreter = resolve_interpreter(command);
  const char *program = interpreter ? interpreter : command;
  const bool needs_none =
      is_linked_to(program, is_libspecpi) && !is_linked_to(program, runtime_is_libsycl);
  free(interpreter);
  return needs_none;
}

/*
 * Prepares a program that needs no libsycl: lets it find the drivers in the directory of --sycl-rt,
 * if that is given. Returns false after an error.
 */
static bool prepare_alone(const order *order, const char *command) {
  tool_error("%s is linked to libspecpi and to no libsycl, so none is preloaded, and its plugins "
             "are libspecpi's: it needs no specpi run; start it directly",
             command);
  if (!order->runtime_directory)
    return true;
  runtime runtime;
  if (!runtime_find(order->runtime_directory, command, &runtime) ||
      !is_searchable(runtime.directory))
    return false;
  set_directory(order, &runtime);
  free(runtime.directory);
  free(runtime.name);
  return true;
}

/* ---- Preparing and starting the program ---- */

static void clear_plugins(plugin_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i].path);
}

static bool find_wanted_plugins(const order *order, plugin_list *ret) {
  return order->plugin_directory ? find_plugins_in(order->plugin_directory, ret)
                                 : find_plugins(ret);
}

/* Makes a runtime of PI load our plugins. Returns false after an error. */
static bool prepare_plugins(const order *order, const runtime *runtime) {
  plugin_list plugins = {.count = 0};
  specpi_backend backend = SPECPI_BACKEND_CUDA;
  char *library = NULL;
  if (find_wanted_plugins(order, &plugins) &&
      (!order->cuda || (find_backend(&backend) && take_name(&plugins, backend))) &&
      is_searchable(runtime->directory))
    library = overlay_make(runtime, plugins.items, plugins.count);
  if (library) {
    if (order->cuda)
      check_cuda(&plugins);
    for (size_t i = 0; order->verbose && i < plugins.count; i++)
      fprintf(stderr, "specpi: plugin %s: %s\n", plugins.items[i].name, plugins.items[i].path);
    const char *report = order->cuda ? NULL : choose_report(&plugins);
    if (order->cuda)
      set_backend(order, backend);
    else if (report)
      set_report(order, report);
    if (report && adapters_obstacle(specpiBackendGetName(SPECPI_BACKEND_CUDA)))
      tool_error(
          "ONEAPI_DEVICE_SELECTOR names no cuda, so that libsycl leaves the CUDA plugin out; "
          "with --cuda NVIDIA's GPUs are devices of level_zero");
    set_preload(order, library);
    set_directory(order, runtime);
  }
  const bool done = library != NULL;
  free(library);
  clear_plugins(&plugins);
  return done;
}

/* Puts directories at the start of UR_ADAPTERS_SEARCH_PATH, before the user's. */
static void set_search_path(const order *order, const char *directories) {
  static const char name[] = "UR_ADAPTERS_SEARCH_PATH";
  const char *others = getenv(name);
  const bool more = others && *others;
  char *value = tool_format("%s%s%s", directories, more ? "," : "", more ? others : "");
  set_variable(order, name, value);
  free(value);
}

/* Prints why CUDA has no device. Only the plugin knows, so it has to be in the adapter's directory.
 */
static void check_cuda_beside(const char *adapter) {
  const char *own = specpiBackendGetFileName(SPECPI_BACKEND_CUDA);
  char *path = tool_format("%.*s/%s", (int)(strrchr(adapter, '/') - adapter), adapter, own);
  if (access(path, R_OK) == 0)
    check_cuda(&(plugin_list){.items = {{path, own}}, .count = 1});
  free(path);
}

/*
 * With --cuda: sets the backend that the CUDA adapter reports, and lets the loader load its file
 * even if ONEAPI_DEVICE_SELECTOR does not name cuda. Returns false after an error.
 */
static bool set_cuda(const order *order, const adapter_list *adapters) {
  specpi_backend backend;
  if (!find_backend(&backend))
    return false;
  const char *file = adapters->files[SPECPI_BACKEND_CUDA];
  if (!file) {
    tool_error("--cuda: there is no adapter of CUDA in %s", adapters->directories);
    return false;
  }
  check_cuda_beside(file);
  set_backend(order, backend);
  set_variable(order, "UR_LOADER_PRELOAD_FILTER", "0");
  return true;
}

/*
 * Without --cuda: if ONEAPI_DEVICE_SELECTOR does not name cuda, the loader would skip the CUDA
 * adapter, whose devices are level_zero's by default. This turns the skipping off. It warns if the
 * selector accepts other GPUs but leaves out NVIDIA's; a selector of CPUs alone gets no warning.
 */
static void keep_cuda(const order *order, const adapter_list *adapters) {
  const char *named = getenv(variable);
  const char *report = named && *named ? named : specpiBackendGetName(SPECPI_BACKEND_LEVEL_ZERO);
  const char *terms = adapters_obstacle(specpiBackendGetName(SPECPI_BACKEND_CUDA));
  if (!adapters->files[SPECPI_BACKEND_CUDA] || !terms)
    return;
  if (adapters_obstacle(report) && (strcasestr(terms, "gpu") || strchr(terms, '*')))
    tool_error("ONEAPI_DEVICE_SELECTOR=%s leaves out NVIDIA's GPUs, which are devices of %s in "
               "SYCL programs; *:gpu takes all GPUs",
               terms, report);
  set_variable(order, "UR_LOADER_PRELOAD_FILTER", "0");
}

/*
 * Puts our Level Zero loader before the system's in LD_LIBRARY_PATH. Libraries that call Level Zero
 * on the adapter's handles need it, and libsycl may load a loader before the adapter could
 * (docs/internals/ur.md).
 */
static void set_level_zero(const order *order, const char *adapter) {
  static codegen_place place;
  if (level_zero_is_served() || !codegen_find(adapter, &place))
    return;
  char *directory =
      tool_format("%.*s/ze", (int)(strrchr(place.path, '/') - place.path), place.path);
  if (access(directory, R_OK) == 0 && !strpbrk(directory, ":;$"))
    search_libraries(order, directory, true);
  free(directory);
}

/* Warns about an unknown release, which the adapters would refuse later. */
static void report_release(const order *order, const runtime *runtime) {
  const char *release = release_find(runtime);
  if (!release)
    tool_error("%s/%s is of no release that the adapters are known to serve: %s",
               runtime->directory, runtime->name, release_names());
  else if (order->verbose)
    fprintf(stderr, "specpi: Unified Runtime of release %s\n", release);
}

/* Makes a runtime of UR load our adapters. Returns false after an error. */
static bool prepare_adapters(const order *order, const runtime *runtime) {
  adapter_list adapters;
  bool done = adapters_find(order->plugin_directory, &adapters) &&
              (!order->runtime_directory || is_searchable(runtime->directory)) &&
              (!order->cuda || set_cuda(order, &adapters));
  if (done) {
    if (!order->cuda)
      keep_cuda(order, &adapters);
    report_release(order, runtime);
    for (size_t b = 0; order->verbose && b < SPECPI_BACKEND_COUNT; b++)
      if (adapters.files[b])
        fprintf(stderr, "specpi: adapter %s\n", adapters.files[b]);
    set_search_path(order, adapters.directories);
    if (adapters.files[SPECPI_BACKEND_CUDA])
      set_level_zero(order, adapters.files[SPECPI_BACKEND_CUDA]);
    /* Removes the libsycl that an outer specpi run may have put into LD_PRELOAD. */
    if (getenv("LD_PRELOAD"))
      set_preload(order, NULL);
    if (order->runtime_directory)
      set_directory(order, runtime);
  }
  adapters_clear(&adapters);
  return done;
}

/* Sets the environment up for the program. Returns false after an error. */
static bool prepare_process(const order *order, const char *command, runtime_kind *kind) {
  runtime runtime;
  if (!runtime_find(order->runtime_directory, command, &runtime))
    return false;
  if (order->verbose)
    fprintf(stderr, "specpi: SYCL runtime %s/%s\n", runtime.directory, runtime.name);
  *kind = runtime.kind;
  const bool done = runtime.kind == RUNTIME_UR ? prepare_adapters(order, &runtime)
                                               : prepare_plugins(order, &runtime);
  free(runtime.directory);
  free(runtime.name);
  return done;
}

static int run_command(const order *order) {
  char *command = resolve_command(order->command[0]);
  if (!command) {
    const int reason = errno;
    tool_error("%s: %s", order->command[0], strerror(reason));
    return reason == ENOENT || reason == ENOTDIR ? TOOL_NOT_FOUND : TOOL_NOT_EXECUTABLE;
  }
  const bool is_alone = needs_no_libsycl(command);
  runtime_kind kind = RUNTIME_PI;
  if (!(is_alone ? prepare_alone(order, command) : prepare_process(order, command, &kind))) {
    free(command);
    return TOOL_FAILURE;
  }
  const char *obstacle = is_alone || kind == RUNTIME_UR ? NULL : resolve_obstacle(command);
  if (obstacle)
    tool_error("%s %s, so that nothing can be preloaded into it: it keeps the plugins that it has, "
               "and only programs that it starts get specpi's",
               command, obstacle);
  /* execvp and not execv, because it lets the shell run a script without a #! line. */
  execvp(order->command[0], order->command);
  const int reason = errno;
  tool_error("%s: %s", command, strerror(reason));
  free(command);
  return reason == ENOENT ? TOOL_NOT_FOUND : TOOL_NOT_EXECUTABLE;
}

int tool_run(int argc, char **argv) {
  static const struct option options[] = {
      {"cuda", no_argument, NULL, 'c'},          {"sycl-rt", required_argument, NULL, 'r'},
      {"plugins", required_argument, NULL, 'p'}, {"verbose", no_argument, NULL, 'v'},
      {"help", no_argument, NULL, 'h'},          {0}};
  order order = {0};
  /* The plus ends the options at the command, whose own options follow. */
  for (int option; (option = getopt_long(argc, argv, "+vh", options, NULL)) != -1;)
    switch (option) {
    case 'c':
      order.cuda = true;
      break;
    case 'r':
      order.runtime_directory = optarg;
      break;
    case 'p':
      order.plugin_directory = optarg;
      break;
    case 'v':
      order.verbose = true;
      break;
    case 'h':
      fputs(usage, stdout);
      return TOOL_SUCCESS;
    default:
      nearest_option(argv[0], argv[optind - 1], options);
      return TOOL_USAGE;
    }
  if (optind == argc)
    return tool_refuse_use("run", "run needs a command");
  order.command = argv + optind;
  return run_command(&order);
}
