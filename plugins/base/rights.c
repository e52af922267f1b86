#define _GNU_SOURCE /* statfs */
#include "rights.h"

#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define THREAD "/proc/thread-self/"

/* X(start): prefix of the lines of /proc/thread-self/status that are part of the digest. */
#define STATUS_LINES(X)                                                                            \
  X("Uid:")                                                                                        \
  X("Gid:")                                                                                        \
  X("Groups:")                                                                                     \
  X("Cap")                                                                                         \
  X("NoNewPrivs:")                                                                                 \
  X("Seccomp")

/* X(name): files whose whole content is part of the digest. A kernel may lack some of them. */
#define WHOLE_FILES(X)                                                                             \
  X("attr/current")                                                                                \
  X("cgroup")                                                                                      \
  X("limits")

/* X(name): links; device and inode of their targets are part of the digest. */
#define OBJECTS(X)                                                                                 \
  X("ns/cgroup")                                                                                   \
  X("ns/ipc")                                                                                      \
  X("ns/mnt")                                                                                      \
  X("ns/net")                                                                                      \
  X("ns/pid_for_children")                                                                         \
  X("ns/user")                                                                                     \
  X("ns/uts")                                                                                      \
  X("root")

static bool counts_always(const char *line) {
  (void)line;
  return true;
}

static bool counts_in_status(const char *line) {
#define STATUS_LINE(start)                                                                         \
  if (strncmp(line, start, sizeof start - 1) == 0)                                                 \
    return true;
  STATUS_LINES(STATUS_LINE)
#undef STATUS_LINE
  return false;
}

/* Adds the lines for which counts() is true to a digest. Returns whether there are such lines. */
static bool add_file(digest_state *to, const char *path, bool (*counts)(const char *line)) {
  char part[1024]; /* a part of a line, because a line may have thousands of groups */
  bool is_start = true;
  bool is_counted = false;
  bool has_any = false;
  FILE *file = fopen(path, "re");
  while (file && fgets(part, sizeof part, file)) {
    if (is_start)
      is_counted = counts(part);
    is_start = strchr(part, '\n') != NULL;
    if (is_counted)
      digest_add(to, part, strlen(part));
    has_any |= is_counted;
  }
  if (file)
    fclose(file);
  digest_add(to, "", 1);
  return has_any;
}

static void add_object(digest_state *to, const char *path) {
  struct stat status = {0};
  stat(path, &status);
  const unsigned long long place[] = {status.st_dev, status.st_ino};
  digest_add(to, place, sizeof place);
}

bool rights_read(digest *ret) {
  struct statfs system;
  digest_state all;
  digest_begin(&all);
  const int bits = prctl(PR_GET_SECUREBITS);
  digest_add(&all, &bits, sizeof bits);
  /* Another file system at /proc could contain anything. */
  if (statfs("/proc", &system) != 0 || system.f_type != PROC_SUPER_MAGIC ||
      !add_file(&all, THREAD "status", counts_in_status))
    return false;
#define WHOLE_FILE(name) add_file(&all, THREAD name, counts_always);
#define OBJECT(name) add_object(&all, THREAD name);
  WHOLE_FILES(WHOLE_FILE)
  OBJECTS(OBJECT)
#undef WHOLE_FILE
#undef OBJECT
  *ret = digest_end(&all);
  return true;
}
