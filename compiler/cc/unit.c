#define _GNU_SOURCE /* open_memstream, realpath */
#include "unit.h"

#include "../host/host.h"
#include "emit.h"
#include "host_text.h"
#include "place.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The paths of one unit's files. */
typedef struct place {
  char *folder;
  char *made; /* has the source's name, for those who look at it */
  char *header;
  char *object;
  char *images;
  char *depend;
} place;

/* The name of a path, without the folder; size: without the ending, too. */
static const char *name_of(const char *path, int *size) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  *size = (int)(dot ? (size_t)(dot - name) : strlen(name));
  return name;
}

static bool make_place(cc_work *work, const char *file, place *ret) {
  int size;
  const char *name = name_of(file, &size);
  char *folder = cc_work_file(work, "");
  *ret = (place){
      .folder = folder,
      .made = cc_format("%s/%s", folder, name),
      .header = cc_format("%s/header.hpp", folder), /* -include takes no quotation mark */
      .object = cc_format("%s/%.*s.o", folder, size, name),
      .images = cc_format("%s/%.*s.images.o", folder, size, name),
      .depend = cc_format("%s/%.*s.d", folder, size, name),
  };
  return mkdir(folder, 0700) == 0 || CC_FAIL("%s: %s", folder, strerror(errno));
}

static void free_place(place *it) {
  free(it->folder);
  free(it->made);
  free(it->header);
  free(it->object);
  free(it->images);
  free(it->depend);
}

/* ---- The id ---- */

static uint64_t hash_words(const cc_texts *words, uint64_t hash) {
  for (size_t i = 0; i < words->count; i++)
    hash = XXH3_64bits_withSeed(words->items[i], strlen(words->items[i]) + 1, hash);
  return hash;
}

/*
 * Of the source's name, for people, and a hash of its absolute path and of what both compilers are
 * told: a source that is compiled twice in other ways is two units. The caller frees it; NULL after
 * an error.
 */
static char *make_id(const cc_options *options, const char *file) {
  enum { NAME_MAX_SIZE = 40 };
  char *path = realpath(file, NULL);
  if (!path) {
    cc_error("%s: %s", file, strerror(errno));
    return NULL;
  }
  uint64_t hash = XXH3_64bits(path, strlen(path) + 1);
  free(path);
  hash = hash_words(&options->words.device, hash_words(&options->macros, hash));
  int size;
  const char *name = name_of(file, &size);
  char *id = cc_format("%.*s_%016llx", size < NAME_MAX_SIZE ? size : NAME_MAX_SIZE, name,
                       (unsigned long long)hash);
  for (char *at = id; *at; at++)
    if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9')))
      *at = '_';
  return id;
}

/* ---- The host's side ---- */

/* Writes the header, and the source with its footer. */
static bool write_texts(const char *file, const place *where, const host_text *header,
                        const host_text *footer) {
  file_bytes source;
  if (!file_read(file, &source))
    return false;
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    cc_no_memory();
  /* Errors and debug information have the source's name and lines. */
  host_write_line(file, "", to);
  fwrite(source.data, 1, source.size, to);
  fwrite(footer->data, 1, footer->size, to);
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(where->header, where->header, header->data, header->size, false) &&
                    file_write(where->made, where->made, text, size, false);
  free(text);
  file_free(&source);
  return done;
}

/* Makes the texts; where libclang refuses the source, the host's compiler may say more. */
static bool make_texts(cc_work *work, const cc_host_compiler *compiler, const char *file,
                       const char *id, const place *where) {
  const cc_options *options = work->options;
  char *folder = cc_place_headers();
  cc_texts arguments = {0};
  cc_texts_add_all(&arguments, &options->macros);
  cc_texts_add_all(&arguments, &options->words.read);
  cc_texts_add_all(&arguments, &options->host_words.read);
  cc_texts_add(&arguments, "-I");
  cc_texts_add(&arguments, folder);
  const host_options how = {
      .file = file,
      .unit_id = id,
      .arguments = arguments.items,
      .argument_count = arguments.count,
  };
  host_text header = {0};
  host_text footer = {0};
  const host_result result = host_write_parts(&how, &header, &footer);
  cc_texts_free(&arguments);
  free(folder);
  bool done = result == HOST_SUCCESS;
  if (done)
    cc_host_text_warn(&footer);
  else if (result != HOST_ERROR_INVALID_SOURCE || cc_host_compiler_takes(work, compiler, file))
    cc_error("%s", host_get_last_error());
  done = done && write_texts(file, where, &header, &footer);
  host_text_release(&header);
  host_text_release(&footer);
  return done;
}

/* ---- The devices' side ---- */

static bool make_images(cc_work *work, const char *file, const char *id, const place *where,
                        cc_depend *depend) {
  const cc_options *whole = work->options;
  cc_options options = *whole;
  options.emit = CC_EMIT_OBJ;
  options.unit_id = id;
  options.files = (cc_texts){0};
  options.clang_options = (cc_texts){0};
  cc_texts_add(&options.files, file);
  cc_texts_add(&options.clang_options, "-include");
  cc_texts_add(&options.clang_options, where->header);
  cc_texts_add_all(&options.clang_options, &whole->macros);
  cc_texts_add_all(&options.clang_options, &whole->words.device);
  cc_texts_add_all(&options.clang_options, &whole->device_options);
  void *object = NULL;
  size_t size;
  work->options = &options;
  work->depend = depend;
  const bool done = cc_emit_object(work, &object, &size) &&
                    file_write(where->images, where->images, object, size, false);
  work->depend = NULL;
  work->options = whole;
  free(object);
  cc_texts_free(&options.clang_options);
  cc_texts_free(&options.files);
  return done;
}

/* ---- Both ---- */

static bool make_unit(cc_work *work, const cc_host_compiler *compiler, const char *file,
                      const char *id, const place *where, cc_depend *depend) {
  const cc_host_unit unit = {
      .file = file,
      .made = where->made,
      .header = where->header,
      .object = where->object,
      .depend = depend ? where->depend : NULL,
  };
  if (!make_texts(work, compiler, file, id, where) ||
      !cc_host_compiler_compile(work, compiler, &unit))
    return false;
  if (depend) {
    cc_depend_add_path(depend, file);
    if (!cc_depend_add(depend, where->depend, work->scratch))
      return false;
  }
  return make_images(work, file, id, where, depend);
}

bool cc_unit_make(cc_work *work, const cc_host_compiler *compiler, const char *file,
                  cc_texts *objects, cc_depend *depend) {
  const char *given = work->options->unit_id;
  char *id = given ? cc_format("%s", given) : make_id(work->options, file);
  if (!id)
    return false;
  place where;
  const bool done =
      make_place(work, file, &where) && make_unit(work, compiler, file, id, &where, depend);
  if (done) {
    cc_texts_add(objects, cc_format("%s", where.object));
    cc_texts_add(objects, cc_format("%s", where.images));
  }
  free_place(&where);
  free(id);
  return done;
}
