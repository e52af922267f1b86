/* Options, JSON files and fatal errors of benchmarks. */
#ifndef SPECPI_BENCH_REPORT_H
#define SPECPI_BENCH_REPORT_H

#include "measure.h"

#include <jansson.h>
#include <stdbool.h>

/* The options that all benchmarks take. */
typedef struct bench_options {
  bool quick;        /* --quick: few rounds, for the smoke test and impatient people */
  const char *json;  /* --json FILE: the output file for the numbers, or NULL */
  const char *chart; /* --chart FILE: the output file for the chart, or NULL */
} bench_options;

/* Parses argv, which may have only these options. Prints usage and exits on --help and errors. */
bench_options bench_options_read(int argc, char **argv, const char *usage);

/* An additional option for a file that a benchmark needs: --OPTION FILE. */
typedef struct bench_file {
  const char *option;
  char **value;
} bench_file;

enum { BENCH_FILES_MAX = 8 };

/* Parses argv with count additional options for files, at most BENCH_FILES_MAX. */
bench_options bench_options_read_files(int argc, char **argv, const char *usage, size_t count,
                                       const bench_file *files);

/* Returns {"median": .., "min": .., "max": ..}. */
json_t *bench_summary_json(bench_summary summary);

/* Writes the object to a file, unless file is NULL, and releases the object. */
void bench_write_json(const char *file, json_t *object);

/* Prints "bench: <message>" to stderr and exits with 1. */
void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

#endif
