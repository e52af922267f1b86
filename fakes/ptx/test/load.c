/*
 * ptx-load DIRECTORY...: parses and links every .ptx file in these directories and their
 * subdirectories. It links NAME_main.*.ptx with NAME_part.*.ptx of the same directory. The exit
 * status is 0 if it accepts all files and there is at least one.
 */
#include "../ptx.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int taken, refused;

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    const long end = ftell(file);
    rewind(file);
    *size = end > 0 ? (size_t)end : 0;
    text = malloc(*size + 1);
  }
  if (!text || fread(text, 1, *size, file) != *size) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  return text;
}

/* Parses a file. If it is refused, prints a line and returns NULL. */
static ptx_module *parse_file(const char *path) {
  size_t size;
  char *text = read_file(path, &size);
  ptx_module *module = NULL;
  ptx_log log;
  if (ptx_parse(text, size, NULL, &module, &log) != PTX_OK)
    printf("%s: %s\n", path, log.text);
  free(text);
  return module;
}

/* Returns the path of the file to link with, which the caller frees; NULL if there is none. */
static char *other_part(const char *path) {
  const char *name = strrchr(path, '/');
  const char *at = name ? strstr(name, "_main.") : NULL;
  if (!at)
    return NULL;
  const size_t size = strlen(path) + 1;
  char *other = malloc(size);
  if (other)
    snprintf(other, size, "%.*s_part.%s", (int)(at - path), path, at + strlen("_main."));
  return other;
}

static bool load_file(const char *path) {
  ptx_module *modules[2] = {parse_file(path)};
  size_t count = modules[0] ? 1 : 0;
  char *other = other_part(path);
  if (count && other && (modules[1] = parse_file(other)))
    count = 2;
  free(other);
  if (count == 0)
    return false;
  ptx_program *program = NULL;
  ptx_log log;
  if (ptx_link(modules, count, &program, &log) == PTX_OK) {
    ptx_program_free(program);
    return true;
  }
  printf("%s: %s\n", path, log.text);
  for (size_t i = 0; i < count; i++)
    ptx_module_free(modules[i]);
  return false;
}

static int visit_file(const char *path, const struct stat *file, int type, struct FTW *at) {
  (void)file;
  (void)at;
  const size_t length = strlen(path);
  if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".ptx") == 0)
    *(load_file(path) ? &taken : &refused) += 1;
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    nftw(argv[i], visit_file, 16, FTW_PHYS);
  printf("%d files taken, %d refused\n", taken, refused);
  return refused || taken == 0;
}
