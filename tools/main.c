/* specpi: picks the subcommand. */
#include "tool.h"

#include "../plugins/base/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv);
} commands[] = {
#define TOOL_COMMAND(name, summary) {#name, summary, tool_##name},
    TOOL_COMMANDS(TOOL_COMMAND)
#undef TOOL_COMMAND
};

static void print_usage(FILE *out) {
  fputs("Usage: specpi COMMAND [OPTION...]\n"
        "       specpi -V | --version | -h | --help\n"
        "\n"
        "Commands:\n",
        out);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
  fputs("\nspecpi COMMAND --help describes a command.\n", out);
}

/* Flushes stdout. Returns status, or a failure if the output cannot be written. */
static int finish_output(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  tool_error("the output could not be written");
  return status == TOOL_SUCCESS ? TOOL_FAILURE : status;
}

static bool is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static bool is_version(const char *word) {
  return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

static int print_version(void) {
  printf("specpi %s, PI %s\n", specpiGetVersion(), PI_VERSION_STRING);
  return finish_output(TOOL_SUCCESS);
}

static int refuse_word(const char *word) {
  nearest_word search = {.given = word};
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    nearest_word_offer(&search, commands[i].name);
  if (search.best)
    tool_error("\"%s\" is not a command: did you mean %s? specpi --help lists them", word,
               search.best);
  else
    tool_error("\"%s\" is not a command; specpi --help lists them", word);
  return TOOL_USAGE;
}

/* Runs the subcommand argv[0]. */
static int run_command(int argc, char **argv) {
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(argv[0], commands[i].name) == 0) {
      if (argc == 2 && is_version(argv[1]))
        return print_version();
      /* getopt prefixes its messages with argv[0]. */
      char *const name = tool_format("specpi %s", argv[0]);
      argv[0] = name;
      const int status = finish_output(commands[i].run(argc, argv));
      free(name);
      return status;
    }
  return refuse_word(argv[0]);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_usage(stderr);
    return TOOL_USAGE;
  }
  if (argc == 2 && is_help(argv[1])) {
    print_usage(stdout);
    return finish_output(TOOL_SUCCESS);
  }
  /* "specpi help ls" means "specpi ls --help". */
  if (argc > 2 && is_help(argv[1])) {
    char help[] = "--help";
    char *words[] = {argv[2], help, NULL};
    return run_command(2, words);
  }
  if (is_version(argv[1]))
    return print_version();
  return run_command(argc - 1, argv + 1);
}
