/* bench-chart: draws a chart from a JSON file; see support/chart.h. */
#include "support/chart.h"

#include "support/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the chart in a file, or the one with this number in a benchmark's list of charts. */
static const json_t *chosen(const json_t *file, const char *number) {
  const json_t *charts = json_object_get(file, "charts");
  if (!charts)
    return file;
  char *end;
  const unsigned long index = strtoul(number, &end, 10);
  const json_t *chart = *end == '\0' && end != number ? json_array_get(charts, index) : NULL;
  if (!chart)
    bench_die("of %zu charts there is none with the number %s", json_array_size(charts), number);
  return chart;
}

int main(int argc, char **argv) {
  if ((argc != 3 && argc != 4) || argv[1][0] == '-') {
    fputs("Usage: bench-chart CHART.json FILE.png [NUMBER]\n"
          "Draws a chart; bench/support/chart.h says what stands in the JSON file. Of a bench's\n"
          "numbers that come with charts it draws the one with this number, the first is 0.\n",
          argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  json_error_t error;
  json_t *chart = json_load_file(argv[1], 0, &error);
  if (!chart && error.line < 0)
    bench_die("%s", error.text);
  if (!chart)
    bench_die("%s, line %d: %s", argv[1], error.line, error.text);
  const bool drawn = bench_chart_draw(chosen(chart, argc == 4 ? argv[3] : "0"), argv[2]);
  json_decref(chart);
  return drawn ? 0 : 1;
}
