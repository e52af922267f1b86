#include "report.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bench_options bench_options_read(int argc, char **argv, const char *usage) {
  static const struct option known[] = {{"quick", no_argument, NULL, 'q'},
                                        {"json", required_argument, NULL, 'j'},
                                        {"chart", required_argument, NULL, 'c'},
                                        {"help", no_argument, NULL, 'h'},
                                        {0}};
  bench_options options = {0};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    switch (letter) {
    case 'q':
      options.quick = true;
      break;
    case 'j':
      options.json = optarg;
      break;
    case 'c':
      options.chart = optarg;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(0);
    default:
      fputs(usage, stderr);
      exit(2);
    }
  }
  if (optind != argc) {
    fputs(usage, stderr);
    exit(2);
  }
  return options;
}

json_t *bench_summary_json(bench_summary summary) {
  return json_pack("{s:f, s:f, s:f}", "median", summary.median, "min", summary.min, "max",
                   summary.max);
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
