/* The parts that benches share besides measuring: their options, JSON files, and ends on errors. */
#ifndef SPECPI_BENCH_REPORT_H
#define SPECPI_BENCH_REPORT_H

#include "measure.h"

#include <jansson.h>
#include <stdbool.h>

/* The options that all benches take. */
typedef struct bench_options {
  bool quick;        /* --quick: few rounds, for people who wait and for the smoke test */
  const char *json;  /* --json FILE: where the numbers go, or NULL */
  const char *chart; /* --chart FILE: where a bench that draws one puts it, or NULL */
} bench_options;

/* Reads argv, in which nothing else may stand. Prints usage and exits on --help and on errors. */
bench_options bench_options_read(int argc, char **argv, const char *usage);

/* A file that a bench needs: --OPTION FILE. */
typedef struct bench_file {
  const char *option;
  char **value;
} bench_file;

enum { BENCH_FILES_MAX = 8 };

/* The same, and count files, at most BENCH_FILES_MAX. */
bench_options bench_options_read_files(int argc, char **argv, const char *usage, size_t count,
                                       const bench_file *files);

/* {"median": .., "min": .., "max": ..}. */
json_t *bench_summary_json(bench_summary summary);

/* Writes the object to the file, unless that is NULL, and gives the object up. */
void bench_write_json(const char *file, json_t *object);

/* Prints "bench: <message>" to stderr and exits with 1. */
void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

#endif
