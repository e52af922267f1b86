#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "child.h"

#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char directory[512];

const char *work_directory(void) {
  if (directory[0] != '\0')
    return directory;
  const char *parent = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/specpi-property-XXXXXX",
           parent != NULL ? parent : "/tmp");
  if (mkdtemp(directory) == NULL)
    property_die("%s cannot be made: %s", directory, strerror(errno));
  return directory;
}

void work_remove(void) {
  DIR *list = directory[0] != '\0' ? opendir(directory) : NULL;
  if (list == NULL)
    return;
  for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
    if (entry->d_name[0] != '.')
      unlink(work_path(entry->d_name));
  closedir(list);
  rmdir(directory);
  directory[0] = '\0';
}

const char *work_path(const char *name) {
  return memory_format("%s/%s", work_directory(), name);
}

void work_write(const char *path, const void *data, size_t size) {
  FILE *to = fopen(path, "wb");
  if (to == NULL || fwrite(data, 1, size, to) != size || fclose(to) != 0)
    property_die("%s cannot be written: %s", path, strerror(errno));
}

void *work_read(const char *path, size_t *size) {
  FILE *from = fopen(path, "rb");
  if (from == NULL || fseek(from, 0, SEEK_END) != 0)
    property_die("%s cannot be read: %s", path, strerror(errno));
  const long end = ftell(from);
  rewind(from);
  char *data = memory_new((size_t)end + 1);
  if (fread(data, 1, (size_t)end, from) != (size_t)end)
    property_die("%s cannot be read", path);
  fclose(from);
  *size = (size_t)end;
  return data;
}

bool child_run(const char *const *argv, const char **said) {
  const char *output = work_path("output.txt");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child;
  const int error =
      posix_spawn(&child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    property_die("%s cannot be started: %s", argv[0], strerror(error));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      property_die("%s: %s", argv[0], strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  size_t size;
  *said = memory_format("%s: %s", argv[0], (const char *)work_read(output, &size));
  return false;
}
