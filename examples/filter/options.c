#define _GNU_SOURCE /* getopt_long */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 41, ROUNDS_MAX = 1000 };

static void refuse_words(void) {
  fputs("--help lists the options\n", stderr);
  exit(2);
}

static unsigned rounds_of(const char *text) {
  char *end;
  errno = 0;
  const long rounds = strtol(text, &end, 10);
  if (*end || end == text || errno || rounds < 1 || rounds > ROUNDS_MAX) {
    fprintf(stderr, "--rounds %s: a number from 1 to %d is needed\n", text, ROUNDS_MAX);
    refuse_words();
  }
  return (unsigned)rounds;
}

options options_read(int argc, char **argv, const char *usage) {
  static const struct option known[] = {{"output", required_argument, NULL, 'o'},
                                        {"times", required_argument, NULL, 't'},
                                        {"rounds", required_argument, NULL, 'r'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  options all = {".", NULL, ROUNDS, NULL};
  for (int option; (option = getopt_long(argc, argv, "h", known, NULL)) != -1;)
    switch (option) {
    case 'o':
      all.directory = optarg;
      break;
    case 't':
      all.times = optarg;
      break;
    case 'r':
      all.rounds = rounds_of(optarg);
      break;
    case 'h':
      fputs(usage, stdout);
      exit(0);
    default:
      refuse_words();
    }
  if (argc - optind > 1) {
    fprintf(stderr, "one picture is filtered, %d are given\n", argc - optind);
    refuse_words();
  }
  all.picture = argv[optind];
  return all;
}

bool options_picture(const options *all, picture *ret) {
  if (all->picture)
    return picture_read(all->picture, ret);
  *ret = picture_draw();
  return true;
}

/* Writes DIRECTORY/NAME. */
static bool write_named(const options *all, const char *name, const picture *picture) {
  char file[4096];
  const int length = snprintf(file, sizeof file, "%s/%s", all->directory, name);
  if (length < 0 || (size_t)length >= sizeof file) {
    fprintf(stderr, "The path of the output directory is too long\n");
    return false;
  }
  return picture_write(file, picture);
}

bool options_write_source(const options *all, const picture *picture) {
  return write_named(all, "picture.png", picture);
}

bool options_write(const options *all, const char *library, int radius, const picture *picture) {
  char name[64];
  snprintf(name, sizeof name, "%s-radius-%d.png", library, radius);
  return write_named(all, name, picture);
}
