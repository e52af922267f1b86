#include "orders.h"

#include "measure.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void obey(const bench_order *order, void *on, int count) {
  const double start = bench_now(), thread_start = bench_thread_time();
  order->run(on, count);
  const double elapsed = bench_now() - start;
  printf("%.0f %.0f\n", elapsed, bench_thread_time() - thread_start);
  fflush(stdout);
}

void bench_obey(const char *device, const char *plugin, const bench_order *orders, void *on) {
  printf("ready %s\t%s\n", device, plugin);
  fflush(stdout);
  for (char line[64]; fgets(line, sizeof line, stdin);) {
    char *blank = strchr(line, ' ');
    if (!blank)
      bench_die("an order has no number: %s", line);
    *blank = '\0';
    const bench_order *order = orders;
    while (order->name && strcmp(order->name, line) != 0)
      order++;
    if (!order->name)
      bench_die("%s is not an order", line);
    obey(order, on, (int)strtol(blank + 1, NULL, 10));
  }
}
