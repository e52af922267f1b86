/* specpi: picks the subcommand. */
#include "tool.h"

#include "../plugins/base/nearest.h"

#include <stdio.h>
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
        "       specpi --version | --help\n"
        "\n"
        "Commands:\n",
        out);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
  fputs("\nspecpi COMMAND --help describes a command.\n", out);
}

/* What a command returns, once all that it printed is written. */
static int finish_output(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  tool_error("the output could not be written");
  return status == TOOL_SUCCESS ? TOOL_FAILURE : status;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_usage(stderr);
    return TOOL_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    print_usage(stdout);
    return finish_output(TOOL_SUCCESS);
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("specpi %s, PI %s\n", specpiGetVersion(), PI_VERSION_STRING);
    return finish_output(TOOL_SUCCESS);
  }
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(word, commands[i].name) == 0) {
      /* What getopt puts in front of its messages. */
      argv[1] = tool_format("specpi %s", word);
      return finish_output(commands[i].run(argc - 1, argv + 1));
    }
  nearest_word search = {.given = word};
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    nearest_word_offer(&search, commands[i].name);
  tool_error("\"%s\" is not a command%s%s%s; specpi --help lists them", word,
             search.best ? ", did you mean " : "", search.best ? search.best : "",
             search.best ? "?" : "");
  return TOOL_USAGE;
}
