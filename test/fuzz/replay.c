/* Runs a fuzz target once on each file in the directories given as arguments. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

/* Loads a file into a block of exactly its size, so that asan notices a read past its end. */
static uint8_t *load(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  uint8_t *bytes = NULL;
  long length = -1;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
    bytes = malloc(length ? (size_t)length : 1);
  if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  *size = (size_t)length;
  return bytes;
}

/* Replays one directory; returns the number of its files, or -1 after a message. */
static int replay(const char *directory) {
  DIR *stream = opendir(directory);
  if (!stream) {
    fprintf(stderr, "%s: %s\n", directory, strerror(errno));
    return -1;
  }
  int count = 0;
  for (struct dirent *entry; count >= 0 && (entry = readdir(stream));) {
    if (entry->d_name[0] == '.')
      continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    /* Prints the name first, so that after a failure the last name is the failing file's. */
    printf("%s\n", entry->d_name);
    fflush(stdout);
    size_t size;
    uint8_t *bytes = load(path, &size);
    if (!bytes) {
      fprintf(stderr, "%s: cannot be read\n", path);
      count = -1;
      break;
    }
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    count++;
  }
  closedir(stream);
  return count;
}

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 1; i < argc; i++) {
    const int count = replay(argv[i]);
    if (count < 0)
      return 1;
    total += count;
  }
  printf("%d inputs\n", total);
  /* An empty corpus proves nothing. */
  return total == 0;
}
