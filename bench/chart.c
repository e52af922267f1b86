/* bench-chart: draws a chart that a JSON file describes, see support/chart.h. */
#include "support/chart.h"

#include "support/report.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3 || argv[1][0] == '-') {
    fputs("Usage: bench-chart CHART.json FILE.png\n"
          "Draws a chart; bench/support/chart.h says what stands in the JSON file.\n",
          argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  json_error_t error;
  json_t *chart = json_load_file(argv[1], 0, &error);
  if (!chart && error.line < 0)
    bench_die("%s", error.text);
  if (!chart)
    bench_die("%s, line %d: %s", argv[1], error.line, error.text);
  const bool drawn = bench_chart_draw(chart, argv[2]);
  json_decref(chart);
  return drawn ? 0 : 1;
}
