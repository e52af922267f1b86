#define _GNU_SOURCE /* strsignal, environ */
#include "child.h"

#include "../../plugins/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void child_print(const cc_texts *command) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_=+.,/:@%";
  for (size_t i = 0; i < command->count; i++) {
    const char *word = command->items[i];
    fputs(i ? " " : "", stderr);
    if (*word && word[strspn(word, plain)] == '\0') {
      fputs(word, stderr);
      continue;
    }
    fputc('\'', stderr);
    for (; *word; word++)
      if (*word == '\'')
        fputs("'\\''", stderr);
      else
        fputc(*word, stderr);
    fputc('\'', stderr);
  }
  fputc('\n', stderr);
}

/*
 * Starts a program whose output goes to a new file, or to our stderr if words is NULL. Returns 0 or
 * an error number.
 */
static int start_child(const cc_texts *command, const char *words, pid_t *ret) {
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!reason && words)
    reason = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, words,
                                              O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!reason)
    reason = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  if (!reason)
    /* The words are not written to; the type is argv's, which is older than const. */
    reason = posix_spawnp(ret, command->items[0], &actions, NULL, (char *const *)command->items,
                          environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

/* Where a program that specpi-cc looks for by itself comes from. */
static const char *package_of(const char *program) {
  const bool is_own = strcmp(program, "clang-15") == 0 || strcmp(program, "llvm-spirv-15") == 0;
  return is_own ? "; Debian 12 has it: apt install clang-15 llvm-spirv-15" : "";
}

static bool run_child(const cc_texts *command, const char *option, const char *file,
                      const char *words, bool verbose) {
  const char *program = command->items[0];
  if (verbose)
    child_print(command);
  fflush(NULL);
  pid_t child;
  const int reason = start_child(command, words, &child);
  if (reason)
    return CC_FAIL("%s: cannot run '%s': %s; %s=PROGRAM names another one%s", file, program,
                   strerror(reason), option, reason == ENOENT ? package_of(program) : "");
  int status;
  if (!child_wait(child, &status))
    return CC_FAIL("%s: cannot wait for '%s': %s", file, program, strerror(errno));
  if (WIFSIGNALED(status))
    return CC_FAIL("%s: '%s' was ended by signal %d (%s)", file, program, WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return CC_FAIL("%s: '%s' failed with exit status %d", file, program, WEXITSTATUS(status));
  return true;
}

bool child_run(const cc_texts *command, const char *option, const char *file, const char *made,
               bool verbose) {
  return run_child(command, option, file, NULL, verbose) &&
         (access(made, R_OK) == 0 ||
          CC_FAIL("%s: '%s' ended well and wrote nothing", file, command->items[0]));
}

/*
 * Repeats a program's words; they are lost if they cannot be read again. Its failure is reported in
 * any case.
 */
void child_repeat(const char *words) {
  FILE *file = fopen(words, "r");
  int c;
  while (file && (c = getc(file)) != EOF)
    putc(c, stderr);
  if (file)
    fclose(file);
}

bool child_ask(const cc_texts *command, const char *option, const char *file, const char *words,
               bool verbose) {
  if (run_child(command, option, file, words, verbose))
    return true;
  child_repeat(words);
  return false;
}

bool child_try(const cc_texts *command, const char *words) {
  pid_t child;
  int status;
  return !start_child(command, words, &child) && child_wait(child, &status) && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}
