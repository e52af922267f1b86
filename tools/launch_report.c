#include "launch_report.h"

#include "json.h"
#include "tool.h"

#include <stdlib.h>

/* Number of a buffer's elements that are printed, and how many per line. */
enum { SHOWN = 64, ACROSS = 8 };

static void print_sizes(const char *what, const size_t *sizes, unsigned dimensions) {
  printf("%s", what);
  for (unsigned i = 0; i < dimensions; i++)
    printf("%s%zu", i ? " x " : "", sizes[i]);
  putchar('\n');
}

static int compare_times(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

typedef struct spread {
  uint64_t median, fastest, slowest;
} spread;

static spread spread_of(const launch_report *report) {
  qsort(report->times, report->repeats, sizeof *report->times, compare_times);
  return (spread){report->times[report->repeats / 2], report->times[0],
                  report->times[report->repeats - 1]};
}

static void print_times(const launch_report *report) {
  const spread times = spread_of(report);
  printf("Time    %.6f ms", (double)times.median * 1e-6);
  if (report->repeats > 1)
    printf(", the median of %zu runs: %.6f to %.6f", report->repeats, (double)times.fastest * 1e-6,
           (double)times.slowest * 1e-6);
  putchar('\n');
}

static void print_buffer(const launch_argument *argument) {
  for (size_t i = 0; i < argument->count && i < SHOWN; i++) {
    fputs(i % ACROSS == 0 ? (i ? "\n   " : "   ") : "", stdout);
    putchar(' ');
    number_print(argument->type, argument->bytes + i * argument->type->size, stdout);
  }
  putchar('\n');
  if (argument->count > SHOWN)
    printf("    and %zu more; --json prints all\n", argument->count - SHOWN);
}

void launch_report_text(const launch_report *report) {
  printf("Kernel  %s\n", report->kernel);
  char *line = tool_device_line(report->device);
  printf("Device  %s\n", line);
  free(line);
  print_sizes("Global  ", report->range->global, report->range->dimensions);
  if (report->range->local[0])
    print_sizes("Local   ", report->range->local, report->range->dimensions);
  else
    puts("Local   chosen by the runtime");
  print_times(report);
  for (size_t i = 0; i < report->count; i++) {
    const bool is_buffer = report->arguments[i].kind == SPECPI_ARGUMENT_BUFFER;
    printf("Argument %zu  %s%s\n", i, report->arguments[i].spec,
           is_buffer ? ", after the run:" : "");
    if (is_buffer)
      print_buffer(&report->arguments[i]);
  }
}

static void add_time(json_t *root, const char *name, uint64_t nanoseconds) {
  json_t *number = json_integer((json_int_t)nanoseconds);
  if (!number)
    tool_no_memory();
  tool_json_member(root, name, number);
}

static void add_buffers(json_t *root, const launch_report *report) {
  json_t *list = tool_json_array();
  for (size_t a = 0; a < report->count; a++) {
    const launch_argument *argument = &report->arguments[a];
    if (argument->kind != SPECPI_ARGUMENT_BUFFER)
      continue;
    json_t *numbers = tool_json_array();
    for (size_t i = 0; i < argument->count; i++)
      tool_json_add(numbers,
                    number_json(argument->type, argument->bytes + i * argument->type->size));
    tool_json_add(list, numbers);
  }
  tool_json_member(root, "args", list);
}

/* Omits the buffers after repeated runs, which are for times and not for results. */
bool launch_report_json(const launch_report *report) {
  json_t *root = tool_json_object();
  if (report->repeats == 1)
    add_buffers(root, report);
  const spread times = spread_of(report);
  add_time(root, "ns", times.median);
  if (report->repeats > 1) {
    add_time(root, "fastest_ns", times.fastest);
    add_time(root, "slowest_ns", times.slowest);
  }
  json_t *warnings = tool_json_array();
  for (size_t i = 0; i < report->warnings->count; i++)
    tool_json_add(warnings, tool_json_text(report->warnings->texts[i]));
  if (report->warnings->count)
    tool_json_member(root, "warnings", warnings);
  else
    json_decref(warnings);
  const bool written = json_dumpf(root, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF;
  json_decref(root);
  if (!written)
    tool_error("the result could not be written");
  return written;
}
