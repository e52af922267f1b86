#include "translate.h"

#include "../../plugins/base/vector.h"
#include "child.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* SPIR-V has one type for void * and uchar *: words in the module tell them apart. */
#define KEEP_TYPE_NAMES "--preserve-ocl-kernel-arg-type-metadata-through-string"

/* Without it llvm-spirv forgets which additions cannot overflow, and with that the generators of
 * code compute each address of an array anew. DPC++ uses it, too. */
#define KEEP_NO_OVERFLOW "--spirv-ext=+SPV_KHR_no_integer_wrap_decoration"

/* Runs llvm-spirv with options, which end with NULL, from a file to another. */
static bool run_translator(const cc_work *work, const char *file, const char *const *first,
                           const char *from, const char *to) {
  const cc_options *options = work->options;
  cc_texts command = {0};
  cc_texts_add(&command, options->translator);
  for (; *first; first++)
    cc_texts_add(&command, *first);
  cc_texts_add_all(&command, &options->translator_options);
  cc_texts_add(&command, from);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, to);
  const bool done = child_run(&command, "--llvm-spirv", file, to, options->verbose);
  cc_texts_free(&command);
  return done;
}

/* ---- Decorations ---- */

enum { HEADER_WORDS = 5, OP_DECORATE = 71, DROPPED = 0xffff };

typedef VECTOR(uint32_t *) decorations;

static int by_words(const void *left, const void *right) {
  const uint32_t *const *l = left, *const *r = right;
  if (**l != **r)
    return **l < **r ? -1 : 1;
  const int difference = memcmp(*l, *r, (**l >> 16) * sizeof **l);
  return difference != 0 ? difference : (*l > *r) - (*l < *r);
}

/* Lists a module's decorations. */
static decorations list_decorations(uint32_t *words, size_t count) {
  decorations all = {0};
  for (size_t i = HEADER_WORDS; i < count && words[i] >> 16 != 0 && words[i] >> 16 <= count - i;
       i += words[i] >> 16) {
    if ((words[i] & 0xffff) != OP_DECORATE)
      continue;
    if (!VECTOR_RESERVE(&all))
      cc_no_memory();
    all.items[all.count++] = &words[i];
  }
  return all;
}

/* Drops decorations that llvm-spirv 15 writes again; SPIR-V allows each once. */
static void drop_repeated(file_bytes *module) {
  uint32_t *words = (uint32_t *)(void *)module->data;
  const size_t count = module->size / sizeof *words;
  decorations all = list_decorations(words, count);
  if (all.count > 0)
    qsort(all.items, all.count, sizeof *all.items, by_words);
  for (size_t i = all.count; i-- > 1;)
    if (memcmp(all.items[i - 1], all.items[i], (*all.items[i] >> 16) * sizeof *words) == 0)
      *all.items[i] |= DROPPED;
  free(all.items);
  size_t kept = HEADER_WORDS;
  for (size_t i = HEADER_WORDS, size; i < count; i += size) {
    size = words[i] >> 16 != 0 && words[i] >> 16 <= count - i ? words[i] >> 16 : count - i;
    const bool dropped = (words[i] & DROPPED) == DROPPED;
    memmove(&words[kept], &words[i], dropped ? 0 : size * sizeof *words);
    kept += dropped ? 0 : size;
  }
  if (count > HEADER_WORDS)
    module->size = kept * sizeof *words;
}

bool translate_to_spirv(cc_work *work, const char *file, const void *bitcode, size_t size,
                        file_bytes *ret) {
  char *from = cc_work_file(work, ".lowered.bc");
  char *to = cc_work_file(work, ".spv");
  char *option = cc_format("--spirv-max-version=%s", work->options->spirv_version);
  const char *const first[] = {KEEP_TYPE_NAMES, KEEP_NO_OVERFLOW, option, NULL};
  const bool done = file_write(from, from, bitcode, size, false) &&
                    run_translator(work, file, first, from, to) && file_read(to, ret);
  if (done)
    drop_repeated(ret);
  free(option);
  free(to);
  free(from);
  return done;
}

bool translate_from_spirv(cc_work *work, const char *file, const char *bitcode) {
  const char *const first[] = {"-r", NULL};
  char *from = cc_path_word(file);
  const bool done = run_translator(work, file, first, from, bitcode);
  free(from);
  return done;
}
