/*
 * The side of client.h that obeys. A client writes "ready <device>\t<plugin file>", then answers
 * each line "<order> <count>" with two numbers of nanoseconds: the time that has passed, and the
 * time that this thread has spent on a processor, without the time in which it waited for one.
 */
#ifndef SPECPI_BENCH_ORDERS_H
#define SPECPI_BENCH_ORDERS_H

typedef struct bench_order {
  const char *name;
  void (*run)(void *on, int count); /* one that fails ends the program (bench_die) */
} bench_order;

/* Obeys until the standard input ends; orders end with one whose name is NULL. */
void bench_obey(const char *device, const char *plugin, const bench_order *orders, void *on);

#endif
