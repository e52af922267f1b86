#include "report.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void refuse_words(const char *usage) {
  fputs(usage, stderr);
  exit(2);
}

bench_options bench_options_read(int argc, char **argv, const char *usage) {
  return bench_options_read_files(argc, argv, usage, 0, NULL);
}

bench_options bench_options_read_files(int argc, char **argv, const char *usage, size_t count,
                                       const bench_file *files) {
  enum { COMMON = 4, FIRST_FILE = 256 };
  struct option known[COMMON + BENCH_FILES_MAX + 1] = {{"quick", no_argument, NULL, 'q'},
                                                       {"json", required_argument, NULL, 'j'},
                                                       {"chart", required_argument, NULL, 'c'},
                                                       {"help", no_argument, NULL, 'h'}};
  for (size_t i = 0; i < count; i++)
    known[COMMON + i] =
        (struct option){files[i].option, required_argument, NULL, FIRST_FILE + (int)i};
  bench_options options = {0};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (letter >= FIRST_FILE && letter < FIRST_FILE + (int)count)
      *files[letter - FIRST_FILE].value = optarg;
    else if (letter == 'q')
      options.quick = true;
    else if (letter == 'j')
      options.json = optarg;
    else if (letter == 'c')
      options.chart = optarg;
    else if (letter == 'h') {
      fputs(usage, stdout);
      exit(0);
    } else
      refuse_words(usage);
  }
  for (size_t i = 0; i < count; i++)
    if (*files[i].value == NULL)
      refuse_words(usage);
  if (optind != argc)
    refuse_words(usage);
  return options;
}

json_t *bench_summary_json(bench_summary summary) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f}", "median", summary.median, "min", summary.min, "max",
                   summary.max, "low", summary.low, "high", summary.high);
}

void bench_write_json(const char *file, json_t *object) {
  if (!object)
    bench_die("no memory for the JSON object");
  if (file && json_dump_file(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
    bench_die("%s cannot be written", file);
  json_decref(object);
}

void bench_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}
