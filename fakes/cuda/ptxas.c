/* Passes PTX through the real ptxas, once per process for each text and set of options. */
#define _GNU_SOURCE /* memfd_create */
#include "module.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static fake_assembly *known;
static unsigned long runs;

unsigned long fake_cuda_ptxas_runs(void) {
  fake_lock();
  const unsigned long count = runs;
  fake_unlock();
  return count;
}

static uint64_t hash_of(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static const fake_assembly *find_known(uint64_t hash, const char *text, const char *flags) {
  for (const fake_assembly *i = known; i; i = i->next)
    if (i->hash == hash && strcmp(i->flags, flags) == 0 && strcmp(i->text, text) == 0)
      return i;
  return NULL;
}

static bool write_all(int file, const char *text, size_t size) {
  while (size != 0) {
    const ssize_t written = write(file, text, size);
    if (written <= 0)
      return false;
    text += written;
    size -= (size_t)written;
  }
  return lseek(file, 0, SEEK_SET) == 0;
}

static char *read_all(int file) {
  const off_t end = lseek(file, 0, SEEK_END);
  const size_t size = end > 0 ? (size_t)end : 0;
  char *text = fake_allocate(size + 1);
  size_t length = 0;
  ssize_t got;
  if (lseek(file, 0, SEEK_SET) == 0)
    while (length < size && (got = read(file, text + length, size - length)) > 0)
      length += (size_t)got;
  return text;
}

/* Runs a command with files as its input and output. Returns its status, or -1. */
static int run_child(char **words, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  pid_t child;
  const int failure = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    return -1;
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Removes the name of ptxas's input file, because a driver's messages contain no file name. */
static void rename_input(char *words) {
  static const char begin[] = "ptxas ";
  static const char end[] = "_stdin, line";
  static const char name[] = "ptxas application ptx input, line";
  char *to = words;
  while (*words) {
    const size_t length = strcspn(words, "\n") + (strchr(words, '\n') != NULL);
    char *at = strncmp(words, begin, sizeof begin - 1) == 0
                   ? memmem(words, length, end, sizeof end - 1)
                   : NULL;
    char *rest = at ? at + sizeof end - 1 : words;
    const size_t left = length - (size_t)(rest - words);
    if (at && (size_t)(rest - words) >= sizeof name - 1) {
      memcpy(to, name, sizeof name - 1);
      to += sizeof name - 1;
    } else {
      rest = words;
    }
    memmove(to, rest, rest == words ? length : left);
    to += rest == words ? length : left;
    words += length;
  }
  *to = '\0';
}

/* Runs ptxas. The flags are separated by single spaces. */
static void assemble(fake_assembly *assembly) {
  char *flags = fake_copy(assembly->flags, strlen(assembly->flags) + 1);
  char *words[16] = {(char *)(uintptr_t)fake_environment.ptxas};
  size_t count = 1;
  char *rest = NULL;
  for (char *word = strtok_r(flags, " ", &rest); word && count < 12;
       word = strtok_r(NULL, " ", &rest))
    words[count++] = word;
  const int input = memfd_create("ptx", MFD_CLOEXEC);
  const int output = memfd_create("words", MFD_CLOEXEC);
  int status = -1;
  if (input >= 0 && output >= 0 && write_all(input, assembly->text, strlen(assembly->text)))
    status = run_child(words, input, output);
  assembly->fine = status == 0;
  assembly->words = output >= 0 ? read_all(output) : fake_allocate(1);
  if (status < 0 || (status != 0 && !*assembly->words)) {
    free(assembly->words);
    assembly->words = fake_allocate(512);
    snprintf(assembly->words, 512, "%s could not be run\n", fake_environment.ptxas);
  }
  rename_input(assembly->words);
  if (input >= 0)
    close(input);
  if (output >= 0)
    close(output);
  free(flags);
}

const fake_assembly *fake_assemble(const char *text, bool relocatable, const fake_jit *jit) {
  if (!*fake_environment.ptxas)
    return NULL;
  char flags[160];
  int length = snprintf(flags, sizeof flags, "-v -arch=sm_%u -o /dev/null%s",
                        jit->target ? jit->target : FAKE_ARCHITECTURE, relocatable ? " -c" : "");
  if (jit->level < 4)
    length += snprintf(flags + length, sizeof flags - (size_t)length, " -O%u", jit->level);
  if (jit->registers != 0)
    length += snprintf(flags + length, sizeof flags - (size_t)length, " -maxrregcount=%u",
                       jit->registers);
  snprintf(flags + length, sizeof flags - (size_t)length, " -");
  const uint64_t hash = hash_of(text);
  const fake_assembly *found = find_known(hash, text, flags);
  if (found)
    return found;
  fake_assembly *assembly = fake_allocate(sizeof *assembly);
  assembly->hash = hash;
  assembly->text = fake_copy(text, strlen(text) + 1);
  assembly->flags = fake_copy(flags, strlen(flags) + 1);
  runs++;
  fake_unlock();
  assemble(assembly);
  fake_lock();
  assembly->next = known;
  known = assembly;
  return assembly;
}

/* Returns the number before a word in a line; 0 if there is none. */
static unsigned number_before(const char *line, const char *end, const char *word) {
  const char *at = memmem(line, (size_t)(end - line), word, strlen(word));
  if (!at)
    return 0;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return (unsigned)strtoul(at, NULL, 10);
}

bool fake_resources_find(const char *words, const char *entry, fake_resources *ret) {
  char head[1024];
  snprintf(head, sizeof head, "Compiling entry function '%s' for", entry);
  const char *line = strstr(words, head);
  if (!line)
    return false;
  fake_resources resources = {0};
  /* Reads the lines up to the next function's. */
  while ((line = strchr(line, '\n'))) {
    line++;
    const char *end = strchr(line, '\n');
    if (!end)
      end = line + strlen(line);
    if (memmem(line, (size_t)(end - line), "Compiling", 9))
      break;
    if (memmem(line, (size_t)(end - line), " stack frame", 12) && resources.registers == 0)
      resources.stack = number_before(line, end, " bytes stack frame");
    if (memmem(line, (size_t)(end - line), "Used ", 5)) {
      resources.registers = number_before(line, end, " registers");
      resources.shared = number_before(line, end, " bytes smem");
      resources.constant = number_before(line, end, " bytes cmem[0]");
    }
  }
  *ret = resources;
  return true;
}
