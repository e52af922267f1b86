#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device_block {
  struct device_block *next;
  unsigned char *bytes;
  size_t size;
  bool writable;
};

static void *require(void *memory) {
  if (memory)
    return memory;
  fputs("no memory\n", stderr);
  exit(1);
}

void *device_allocate(device_memory *memory, size_t size, bool writable) {
  struct device_block *block = require(malloc(sizeof(*block)));
  const size_t room = (size + 255) / 256 * 256 + 256;
  *block = (struct device_block){memory->blocks, require(aligned_alloc(256, room)), size, writable};
  memset(block->bytes, 0, size);
  memory->blocks = block;
  return block->bytes;
}

void device_free(device_memory *memory, void *bytes) {
  for (struct device_block **link = &memory->blocks; *link; link = &(*link)->next)
    if ((*link)->bytes == bytes) {
      struct device_block *block = *link;
      *link = block->next;
      free(block->bytes);
      free(block);
      return;
    }
}

void device_free_all(device_memory *memory) {
  while (memory->blocks)
    device_free(memory, memory->blocks->bytes);
}

bool device_find(void *user, uint64_t address, ptx_range *ret) {
  const device_memory *memory = user;
  for (const struct device_block *block = memory->blocks; block; block = block->next) {
    const uint64_t begin = (uint64_t)(uintptr_t)block->bytes;
    if (address >= begin && address - begin < block->size) {
      *ret = (ptx_range){begin, begin + block->size, block->bytes, block->writable};
      return true;
    }
  }
  return false;
}

void device_place(device_memory *memory, ptx_program *program) {
  size_t count;
  const ptx_variable *variables = ptx_variables(program, &count);
  ptx_place *places = require(calloc(count + 1, sizeof(*places)));
  for (size_t i = 0; i < count; i++) {
    const bool handle =
        variables[i].kind != PTX_VARIABLE_GLOBAL && variables[i].kind != PTX_VARIABLE_CONSTANT;
    if (handle) {
      places[i].address = 0x1000 + i;
      continue;
    }
    places[i].host = device_allocate(memory, (size_t)variables[i].size,
                                     variables[i].kind == PTX_VARIABLE_GLOBAL);
    places[i].address = (uint64_t)(uintptr_t)places[i].host;
  }
  ptx_initialise(program, places);
  free(places);
}
