#define _GNU_SOURCE /* execvpe's relatives, getline */
#include "resolve.h"

#include "../plugins/base/child.h"
#include "../plugins/base/program.h"
#include "tool.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Returns an absolute path for one that may be relative to the working directory. */
static char *absolute(const char *path) {
  if (*path == '/')
    return tool_format("%s", path);
  char *directory = getcwd(NULL, 0);
  if (!directory)
    return NULL;
  char *whole = tool_format("%s/%s", directory, path);
  free(directory);
  return whole;
}

char *resolve_command(const char *word) {
  char *file = program_find(word);
  char *found = file ? absolute(file) : NULL;
  free(file);
  return found;
}

/* Reads a file's first size - 1 bytes, and adds a NUL. Returns the number of bytes read. */
static size_t read_start(const char *file, char *bytes, size_t size) {
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return 0;
  const ssize_t count = read(descriptor, bytes, size - 1);
  close(descriptor);
  const size_t length = count > 0 ? (size_t)count : 0;
  bytes[length] = '\0';
  return length;
}

char *resolve_interpreter(const char *file) {
  char line[PATH_MAX + 256];
  if (read_start(file, line, sizeof line) < 3 || line[0] != '#' || line[1] != '!')
    return NULL;
  line[strcspn(line, "\n")] = '\0';
  char *rest = line + 2;
  const char *program = strtok_r(NULL, " \t", &rest);
  if (!program)
    return NULL;
  const char *base = strrchr(program, '/');
  if (strcmp(base ? base + 1 : program, "env") == 0)
    /* Skips env's options and variables. */
    do
      program = strtok_r(NULL, " \t", &rest);
    while (program && (*program == '-' || strchr(program, '=')));
  return program ? resolve_command(program) : NULL;
}

/* Reads the dynamic linker's path from a 64-bit program. Returns false if it names none. */
static bool read_linker(const char *file, char linker[PATH_MAX]) {
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  bool found = false;
  Elf64_Ehdr header;
  if (pread(descriptor, &header, sizeof header, 0) == (ssize_t)sizeof header &&
      memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
      header.e_phentsize == sizeof(Elf64_Phdr))
    for (unsigned i = 0; i < header.e_phnum && !found; i++) {
      Elf64_Phdr segment;
      const off_t place = (off_t)(header.e_phoff + i * sizeof segment);
      if (pread(descriptor, &segment, sizeof segment, place) != (ssize_t)sizeof segment)
        break;
      found = segment.p_type == PT_INTERP && segment.p_filesz < PATH_MAX &&
              pread(descriptor, linker, segment.p_filesz, (off_t)segment.p_offset) ==
                  (ssize_t)segment.p_filesz;
      if (found)
        linker[segment.p_filesz] = '\0';
    }
  close(descriptor);
  return found && linker[0] == '/';
}

/* Returns whether a 64-bit program has no dynamic linker. */
static bool is_static(const char *file) {
  char start[EI_NIDENT + 1];
  char linker[PATH_MAX];
  return read_start(file, start, sizeof start) == EI_NIDENT &&
         memcmp(start, ELFMAG, SELFMAG) == 0 && start[EI_CLASS] == ELFCLASS64 &&
         !read_linker(file, linker);
}

static const char *obstacle_of(const char *file) {
  struct stat status;
  if (stat(file, &status) != 0)
    return NULL;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid())
    return "runs with another user's rights (setuid)";
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid())
    return "runs with another group's rights (setgid)";
  /* For root they make no difference, because root has all capabilities. */
  if (geteuid() != 0 && getxattr(file, "security.capability", NULL, 0) > 0)
    return "has rights of its own (file capabilities)";
  return is_static(file) ? "is linked statically" : NULL;
}

const char *resolve_obstacle(const char *file) {
  char *interpreter = resolve_interpreter(file);
  const char *obstacle = obstacle_of(interpreter ? interpreter : file);
  free(interpreter);
  return obstacle;
}

/* Starts a program and returns a stream to read its output; NULL on failure. */
static FILE *start_linker(char *const *argv, pid_t *child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return NULL;
  *child = child_fork();
  if (*child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    /* The linker would report a preloaded libsycl instead of the one that it would find. */
    unsetenv("LD_PRELOAD");
    execv(argv[0], argv);
    _exit(TOOL_NOT_FOUND);
  }
  close(ends[1]);
  FILE *output = *child > 0 ? fdopen(ends[0], "r") : NULL;
  if (!output)
    close(ends[0]);
  return output;
}

/*
 * Runs a program that prints lines of the form "name [(more)] => path [(more)]", and takes the
 * first line whose name is wanted. *path is NULL if that line has no absolute path.
 */
static bool find_in_output(char *const *argv, bool (*wanted)(const char *), char **name,
                           char **path) {
  pid_t child;
  FILE *output = start_linker(argv, &child);
  if (!output)
    return false;
  char *line = NULL;
  size_t size = 0;
  bool found = false;
  while (getline(&line, &size, output) > 0) {
    char *first = line + strspn(line, " \t");
    char *arrow = strstr(first, " => ");
    if (found || !arrow)
      continue;
    char *target = arrow + sizeof " => " - 1;
    first[strcspn(first, " \t")] = '\0';
    if (!wanted(first))
      continue;
    found = true;
    *name = tool_format("%s", first);
    *path = NULL;
    if (*target == '/') {
      /* Ends the path before the address " (0x...)" and not at a blank, which paths may have. */
      char *end = strstr(target, " (0x");
      target[end ? (size_t)(end - target) : strcspn(target, "\n")] = '\0';
      *path = tool_format("%s", target);
    }
  }
  free(line);
  fclose(output);
  (void)child_wait(child, NULL);
  return found;
}

bool resolve_library(const char *file, bool (*wanted)(const char *), char **name, char **path) {
  char linker[PATH_MAX];
  if (!read_linker(file, linker))
    return false;
  char option[] = "--list";
  /* Resolves links, because $ORIGIN is the directory of the file itself, not of a link to it. */
  char *program = realpath(file, NULL);
  char *const argv[] = {linker, option, program, NULL};
  const bool found = program && find_in_output(argv, wanted, name, path);
  free(program);
  return found;
}

bool resolve_cached_library(bool (*wanted)(const char *), char **name, char **path) {
  char program[] = "/sbin/ldconfig";
  char option[] = "-p";
  char *const argv[] = {program, option, NULL};
  return find_in_output(argv, wanted, name, path);
}
