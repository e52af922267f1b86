/*
 * ptx-load FOLDER...: parses and links every file whose name ends in .ptx, in the folders and
 * below. Exit status: 0 when all are taken and there is at least one.
 */
#include "../cuda/ptx.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int taken, refused;

static char *read_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(size + 1);
  if (!file || !text || fread(text, 1, size, file) != size) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  return text;
}

static void load(const char *path, size_t size) {
  char *text = read_file(path, size);
  ptx_module *module = NULL;
  ptx_program *program = NULL;
  ptx_log log;
  ptx_status status = ptx_parse(text, size, NULL, &module, &log);
  if (status == PTX_OK)
    status = ptx_link(&module, 1, &program, &log);
  if (status == PTX_OK)
    taken++;
  else {
    printf("%s: %s\n", path, log.text);
    ptx_module_free(module);
    refused++;
  }
  ptx_program_free(program);
  free(text);
}

static int visit(const char *path, const struct stat *file, int type, struct FTW *at) {
  (void)at;
  const size_t length = strlen(path);
  if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".ptx") == 0)
    load(path, (size_t)file->st_size);
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    nftw(argv[i], visit, 16, FTW_PHYS);
  printf("%d files taken, %d refused\n", taken, refused);
  return refused || taken == 0;
}
