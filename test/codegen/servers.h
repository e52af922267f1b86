/* Finds the code generator processes that this process started; they are not its children. */
#ifndef SPECPI_TEST_CODEGEN_SERVERS_H
#define SPECPI_TEST_CODEGEN_SERVERS_H

#include "../unit/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SERVERS = 64 };

/* Process ids: each builder's parent is its watcher. */
typedef struct servers {
  pid_t builders[MOST_SERVERS];
  pid_t watchers[MOST_SERVERS];
  size_t count;
} servers;

/* Starts a session, by which servers_now() finds the processes. To be called before the first
 * build. */
static inline void servers_begin(void) {
  setsid();
}

/* Returns a process's parent, or 0 if the process is no code generator of this session. */
static inline pid_t server_parent(pid_t process) {
  static const char name[] = "(specpi-codegen) ";
  char path[64];
  char line[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  const char *at = fgets(line, sizeof line, file) ? strstr(line, name) : NULL;
  fclose(file);
  if (!at || at[sizeof name - 1] == 'Z')
    return 0;
  /* The fields after the state are the parent, the process group and the session. */
  char *rest;
  const long parent = strtol(at + sizeof name, &rest, 10);
  strtol(rest, &rest, 10);
  return strtol(rest, NULL, 10) == getsid(0) ? (pid_t)parent : 0;
}

static inline servers servers_now(void) {
  servers ret = {.count = 0};
  DIR *directory = opendir("/proc");
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));) {
    const pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
    const pid_t parent = process > 0 ? server_parent(process) : 0;
    if (parent == 0 || server_parent(parent) == 0 || ret.count == MOST_SERVERS)
      continue;
    ret.builders[ret.count] = process;
    ret.watchers[ret.count++] = parent;
  }
  closedir(directory);
  return ret;
}

/* Waits until there are `count` builders, because processes take a moment to end. */
static inline servers servers_wait(size_t count) {
  servers ret = servers_now();
  for (int i = 0; i < 1000 && ret.count != count; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    ret = servers_now();
  }
  assert_int_equal(ret.count, count);
  return ret;
}

/* Returns the user id of a process. */
static inline uid_t server_user(pid_t process) {
  char path[64];
  struct stat status;
  snprintf(path, sizeof path, "/proc/%d", (int)process);
  assert_int_equal(stat(path, &status), 0);
  return status.st_uid;
}

#endif
