/*
 * The client's side of client.h. A client writes "ready <device>\t<plugin file>". Then it answers
 * each line "<order> <count>" with two times in nanoseconds: the elapsed time, and the processor
 * time of its thread.
 */
#ifndef SPECPI_BENCH_ORDERS_H
#define SPECPI_BENCH_ORDERS_H

typedef struct bench_order {
  const char *name;
  void (*run)(void *on, int count); /* on failure it calls bench_die */
} bench_order;

/* Obeys orders until the standard input ends. The last element of orders has the name NULL. */
void bench_obey(const char *device, const char *plugin, const bench_order *orders, void *on);

#endif
