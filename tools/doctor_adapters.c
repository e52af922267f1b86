#define _GNU_SOURCE /* strcasestr */
#include "doctor_adapters.h"

#include "adapters.h"
#include "release.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char search_path[] = "UR_ADAPTERS_SEARCH_PATH";
static const char force_load[] = "UR_ADAPTERS_FORCE_LOAD";
static const char selector[] = "ONEAPI_DEVICE_SELECTOR";
static const char filter[] = "UR_LOADER_PRELOAD_FILTER";

/* Returns an environment variable's value; NULL if it is empty or not set. */
static const char *value_of(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* For one of our adapter files: which files the runtimes take for its backend. */
typedef struct survey {
  specpi_backend backend;
  const char *file;
  size_t runtimes;
  size_t missing; /* number of runtimes of UR that find no file at all */
  char *copy;     /* path of our file, or of a copy of it, if a runtime takes that; else NULL */
  char *other;    /* path of another file if a runtime takes one; else NULL */
} survey;

static void ask_runtime(void *any, const runtime *runtime) {
  survey *survey = any;
  survey->runtimes++;
  char *taken = runtime->kind == RUNTIME_UR ? adapters_choice(runtime, survey->backend) : NULL;
  char **kept = taken && adapters_are_copies(taken, survey->file) ? &survey->copy : &survey->other;
  survey->missing += !taken && runtime->kind == RUNTIME_UR;
  if (*kept)
    free(taken);
  else
    *kept = taken;
}

/* Asks all runtimes. The caller passes the result to free_survey. */
static survey ask_runtimes(specpi_backend backend, const char *file) {
  survey survey = {.backend = backend, .file = file};
  runtime_list(ask_runtime, &survey);
  return survey;
}

static void free_survey(const survey *survey) {
  free(survey->copy);
  free(survey->other);
}

/* Prints where runtimes find an adapter file or its copy, or else how to make them find it. */
static void print_way(specpi_backend backend, const char *file) {
  const size_t directory = (size_t)(strrchr(file, '/') - file);
  const char *searched = value_of(search_path);
  const survey found = ask_runtimes(backend, file);
  if (found.missing == 0 && found.copy)
    printf("    Runtimes take it: %s\n", found.copy);
  else if (found.missing == 0 && found.other)
    printf("    Runtimes take another one, %s; under specpi run they take this one.\n",
           found.other);
  else if (!searched || !tool_list_has(searched, ',', file, directory))
    printf("    %s does not name its directory.\n"
           "    What to do: Start the program with specpi run, or set %s=%.*s.\n",
           search_path, search_path, (int)directory, file);
  free_survey(&found);
}

/* Prints why runtimes do not load an adapter file, and how to change that. */
static void print_obstacle(const char *file, specpi_backend backend) {
  const char *name = specpiBackendGetName(backend);
  const char *forced = value_of(force_load);
  if (forced) {
    if (!tool_list_has(forced, ',', file, strlen(file)))
      printf("    Runtimes load nothing but what %s names.\n"
             "    What to do: Unset %s, or write the path of this file into it.\n",
             force_load, force_load);
    return;
  }
  const char *terms = adapters_obstacle(name);
  if (terms)
    printf("    Runtimes pass over this file, because %s=%s names no %s.\n"
           "    What to do: Start the program with specpi run --cuda, or set %s=0, or name no "
           "backend, as in *:gpu.\n",
           selector, terms, name, filter);
  print_way(backend, file);
}

static void print_adapter(const char *file, specpi_backend backend) {
  const char *reason = adapters_fault(file);
  printf("  %s: %s%s\n", file, reason ? "cannot be used: " : "can be loaded", reason ? reason : "");
  if (reason)
    puts("    What to do: Replace the file by one that was built for this machine, or remove it.");
  else
    print_obstacle(file, backend);
}

/* Prints a runtime's release, and the adapter that it takes for each backend. */
static void print_runtime(void *any, const runtime *runtime) {
  *(bool *)any = true;
  printf("  %s/%s: ", runtime->directory, runtime->name);
  if (runtime->kind == RUNTIME_PI) {
    puts("plugins of PI " PI_VERSION_STRING ", of release 2024.2");
    return;
  }
  const char *release = release_find(runtime);
  if (release)
    printf("Unified Runtime of release %s\n", release);
  else
    printf("Unified Runtime of no release that the adapters are known to serve: %s\n",
           release_names());
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++) {
    const char *backend = specpiBackendGetName((specpi_backend)b);
    char *file = adapters_choice(runtime, (specpi_backend)b);
    const bool inside = file && strcmp(strrchr(file, '/') + 1, runtime->name) == 0;
    if (file && !value_of(force_load) && adapters_obstacle(backend))
      printf("    %s: %s, which it passes over: %s names no %s\n", backend, file, selector,
             backend);
    else
      printf("    %s: %s%s\n", backend, file ? file : "no adapter",
             inside ? ", which has it inside" : "");
    free(file);
  }
}

void doctor_print_runtimes(void) {
  bool any = false;
  puts("SYCL runtimes that programs find, and the adapters that each takes");
  runtime_list(print_runtime, &any);
  if (!any)
    puts("  There is none in LD_LIBRARY_PATH, VIRTUAL_ENV, CONDA_PREFIX, CMPLR_ROOT, beside specpi "
         "and in "
         "ldconfig's cache. One beside a program is found by specpi run -v.");
}

void doctor_print_adapters(void) {
  adapter_list adapters;
  puts("Adapters of Unified Runtime, for libsycl.so.8 and libsycl.so.9, which have the same "
       "drivers");
  if (adapters_list(&adapters))
    for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
      if (adapters.files[b])
        print_adapter(adapters.files[b], (specpi_backend)b);
  if (!adapters.directories)
    puts("  There is none in these directories.");
  adapters_clear(&adapters);
  doctor_print_runtimes();
}

/*
 * Returns the backend that the CUDA adapter reports to SYCL programs. The rule is the same as in
 * plugins/cuda/backend.c.
 */
static const char *reported_backend(void) {
  const char *named = value_of("SPECPI_CUDA_BACKEND");
  const char *terms = value_of(selector);
  if (named)
    return named;
  return terms && strcasestr(terms, "cuda:") ? "cuda" : "level_zero";
}

bool doctor_find_sycl_name(doctor_sycl_name *ret) {
  adapter_list adapters;
  const char *file = adapters_list(&adapters) ? adapters.files[SPECPI_BACKEND_CUDA] : NULL;
  const survey found = file ? ask_runtimes(SPECPI_BACKEND_CUDA, file) : (survey){0};
  const bool is_there = found.runtimes > 0;
  ret->backend = reported_backend();
  ret->takes_ptx_alone = strcmp(ret->backend, "cuda") == 0;
  ret->platform = ret->takes_ptx_alone ? "NVIDIA CUDA BACKEND" : "CUDA by specpi";
  ret->needs_run = !found.copy || adapters_obstacle("cuda");
  free_survey(&found);
  adapters_clear(&adapters);
  return is_there;
}
