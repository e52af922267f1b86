#define _GNU_SOURCE /* pipe2, realpath, strsignal */
#include "codegen.h"

#include "../plugins/base/child.h"
#include "../plugins/code/libdevice_place.h"
#include "resolve.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Limits of what a program may print, in bytes, and of its run time. */
enum { WORDS_SIZE = 4096, TIME_LIMIT_MS = 10000 };

/* Replaces this process by the program with --version. Like the plugin, uses no environment. */
static void run_program(const char *path, int output) {
  char *const arguments[] = {"specpi-codegen", "--version", NULL};
  char *const environment[] = {NULL};
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execve(path, arguments, environment);
  dprintf(STDOUT_FILENO, "%s\n", strerror(errno));
  _exit(127);
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads until the end of the output, or until a limit. Returns whether it reached the end. */
static bool read_words(int from, char *words) {
  const long end = now_ms() + TIME_LIMIT_MS;
  size_t size = 0;
  ssize_t got = 1;
  while (got > 0 && size < WORDS_SIZE - 1) {
    struct pollfd polled = {.fd = from, .events = POLLIN};
    const long left = end - now_ms();
    const int ready = left > 0 ? poll(&polled, 1, (int)left) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    got = ready > 0 ? read(from, words + size, WORDS_SIZE - 1 - size) : -1;
    if (got > 0)
      size += (size_t)got;
  }
  words[size] = '\0';
  return got == 0;
}

/*
 * Runs a program with --version and puts its output into words. Returns NULL if the program works
 * and its output contains who; else the reason, which the caller frees.
 */
static char *ask_program(const char *path, const char *who, char *words) {
  int ends[2];
  words[0] = '\0';
  if (pipe2(ends, O_CLOEXEC) != 0)
    return tool_format("%s", strerror(errno));
  const pid_t child = child_fork();
  if (child == 0)
    run_program(path, ends[1]);
  close(ends[1]);
  const bool ended = child > 0 && read_words(ends[0], words);
  close(ends[0]);
  if (child < 0)
    return tool_format("%s", strerror(errno));
  if (!ended)
    kill(child, SIGKILL);
  int status = 0;
  (void)child_wait(child, &status);
  if (!ended)
    return tool_format("it did not end within %d s, or wrote too much", TIME_LIMIT_MS / 1000);
  if (WIFSIGNALED(status))
    return tool_format("signal %d (%s) ended it", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return tool_format("its exit status is %d", WEXITSTATUS(status));
  return strstr(words, who) ? NULL : tool_format("it does not say that it is %s", who);
}

/*
 * Prints the libdevice that the plugin passes to the code generator. The generator cannot print it
 * itself, because it runs here with an empty environment.
 */
static void print_libdevice(void) {
  const char *variable;
  const char *chosen = libdevice_choice(&variable);
  if (variable && chosen != variable)
    printf("      SPECPI_LIBDEVICE=%s is passed over: it is no absolute path\n", variable);
  if (!*chosen)
    printf(
        "      libdevice: none%s; sin, exp, pow and the like are libclc's, slower than those of a "
        "CUDA toolkit\n",
        chosen == variable ? ", as SPECPI_LIBDEVICE says" : "");
  else if (access(chosen, R_OK) == 0)
    printf("      libdevice: %s\n", chosen);
  else
    printf(
        "      libdevice: %s cannot be read: %s\n"
        "    What to do: Write the path of a libdevice.10.bc into SPECPI_LIBDEVICE, or unset it.\n",
        chosen, strerror(errno));
}

/* Prints the code generator's output, without the line about libdevice. */
static void print_lines(const char *words) {
  while (*words) {
    const size_t length = strcspn(words, "\n");
    if (length && strncmp(words, "libdevice:", strlen("libdevice:")) != 0)
      printf("      %.*s\n", (int)length, words);
    words += length + (words[length] == '\n');
  }
}

static void print_missing(const codegen_place *place) {
  printf("    Code generator: none, %s\n", place->obstacle);
  puts(strcmp(place->obstacle, "SPECPI_CODEGEN is none") == 0
           ? "    What to do: Nothing, if no code is to be made at run time; else unset "
             "SPECPI_CODEGEN."
           : "    What to do: Install specpi-codegen, which is part of specpi where LLVM 15 is "
             "when it is built.");
  puts("      Without it images in SPIR-V, which is what SYCL programs have, do not run on this "
       "backend, and its constants are native in PTX of specpi-cc --target=spir64,nvptx64 only.");
}

bool codegen_find(const char *plugin, codegen_place *ret) {
  char *file = realpath(plugin, NULL);
  char *slash = file ? strrchr(file, '/') : NULL;
  if (slash)
    slash[slash == file ? 1 : 0] = '\0';
  const bool is_there = codegen_place_find(slash ? file : "/", ret);
  free(file);
  return is_there;
}

void codegen_print(const char *plugin) {
  static codegen_place place;
  if (!codegen_find(plugin, &place)) {
    print_missing(&place);
    return;
  }
  static char words[WORDS_SIZE];
  char *reason = ask_program(place.path, "specpi-codegen ", words);
  printf("    Code generator: %s%s%s\n", place.path, reason ? " does not work: " : "",
         reason ? reason : "");
  print_lines(words);
  if (!reason)
    print_libdevice();
  if (reason)
    puts("    What to do: Install specpi-codegen again, with all that lies in its directory.");
  free(reason);
}

/* ---- The programs of specpi-cc ---- */

/* A program that specpi-cc runs, and an earlier version that may take its place. */
typedef struct compiler_program {
  const char *what;
  const char *variable; /* environment variable that replaces name */
  const char *name;
  const char *version; /* part of the output of --version */
  const char *earlier_name;
  const char *earlier_version;
} compiler_program;

static const compiler_program compilers[] = {
    {"clang", "SPECPI_CLANG", "clang-15", "version 15.", "clang-14", "version 14."},
    {"llvm-spirv", "SPECPI_LLVM_SPIRV", "llvm-spirv-15", "version 15.", NULL, NULL},
};

/* Prints one program. Returns whether it was found with the right version. */
static bool print_compiler(const compiler_program *program) {
  static char words[WORDS_SIZE];
  const char *chosen = getenv(program->variable);
  const char *name = chosen && *chosen ? chosen : program->name;
  char *path = resolve_command(name);
  if (!path && name == program->name && program->earlier_name)
    path = resolve_command(program->earlier_name);
  if (!path) {
    printf("  %s: no %s in PATH\n", program->what, name);
    return false;
  }
  char *reason = ask_program(path, program->version, words);
  if (reason && program->earlier_version && strstr(words, program->earlier_version)) {
    free(reason);
    reason = NULL;
  }
  printf("  %s: %s%s%s\n", program->what, path, reason ? " is not to be used: " : "",
         reason ? reason : "");
  const bool works = !reason;
  free(reason);
  free(path);
  return works;
}

void codegen_print_compilers(void) {
  puts("specpi-cc, which compiles kernels");
  bool works = true;
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
    works &= print_compiler(&compilers[i]);
  if (!works)
    puts("    What to do: Nothing, if you compile no kernels; else install clang 15 and the "
         "llvm-spirv of LLVM 15 (Debian 12: apt install clang-15 "
         "llvm-spirv-15), or name them in SPECPI_CLANG and SPECPI_LLVM_SPIRV.");
}
