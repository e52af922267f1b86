#define _GNU_SOURCE /* open_memstream, realpath */
#include "unit.h"

#include "../../plugins/base/digest.h"
#include "../host/host.h"
#include "emit.h"
#include "host_pass.h"
#include "host_text.h"
#include "input.h"
#include "place.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The name of a path, without the directory; size: without the ending, too. */
static const char *name_of(const char *path, int *size) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  *size = (int)(dot ? (size_t)(dot - name) : strlen(name));
  return name;
}

/* ---- The id ---- */

static void add_words(digest_state *to, const cc_texts *words) {
  for (size_t i = 0; i < words->count; i++)
    digest_add(to, words->items[i], strlen(words->items[i]) + 1);
  digest_add(to, "", 1);
}

/*
 * Joins the source's name, for people, and a digest of its absolute path and of both compilers'
 * options: a source that is compiled twice in other ways is two units. The caller frees it; NULL
 * after an error.
 */
static char *make_id(const cc_options *options, const char *file) {
  enum { NAME_MAX_SIZE = 40 };
  char *path = realpath(file, NULL);
  if (!path) {
    cc_error("%s: %s", file, strerror(errno));
    return NULL;
  }
  digest_state state;
  digest_begin(&state);
  digest_add(&state, path, strlen(path) + 1);
  free(path);
  add_words(&state, &options->macros);
  add_words(&state, &options->words.device);
  int size;
  const char *name = name_of(file, &size);
  char *id = cc_format("%.*s_%s", size < NAME_MAX_SIZE ? size : NAME_MAX_SIZE, name,
                       digest_name_of(digest_end(&state)).text);
  for (char *at = id; *at; at++)
    if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9')))
      *at = '_';
  return id;
}

bool cc_unit_open(cc_work *work, const cc_precompiled *precompiled, const char *file, bool depends,
                  cc_unit *ret) {
  const char *given = work->options->unit_id;
  int size;
  const char *name = name_of(file, &size);
  char *directory = cc_work_file(work, "");
  *ret = (cc_unit){
      .file = file,
      .compiler = precompiled->compiler,
      .precompiled = precompiled,
      .depends = depends,
      .directory = directory,
      .made = cc_format("%s/%s", directory, name),
      .header = cc_format("%s/header.hpp", directory), /* -include takes no quotation mark */
      .bitcode = work->options->host_side == CC_HOST_SIDE_PASS
                     ? cc_format("%s/%.*s.bc", directory, size, name)
                     : NULL,
      .object = cc_format("%s/%.*s.o", directory, size, name),
      .images = cc_format("%s/%.*s.images.o", directory, size, name),
      .captures = cc_format("%s/captures.hpp", directory),
      .device = cc_format("%s/device", directory),
      .depend = cc_format("%s/%.*s.d", directory, size, name),
      .device_depend = cc_format("%s/%.*s.device", directory, size, name),
  };
  if (!cc_input_may_compile(file) || (ret->bitcode && !cc_host_pass_fits(ret->compiler, file)))
    return false;
  ret->id = given ? cc_format("%s", given) : make_id(work->options, file);
  return ret->id && (mkdir(directory, 0700) == 0 || CC_FAIL("%s: %s", directory, strerror(errno)));
}

void cc_unit_close(cc_unit *unit) {
  free(unit->id);
  free(unit->directory);
  free(unit->made);
  free(unit->header);
  free(unit->bitcode);
  free(unit->object);
  free(unit->images);
  free(unit->captures);
  free(unit->device);
  free(unit->depend);
  free(unit->device_depend);
}

/* ---- The host's side ---- */

/* Writes the source with its footer, and without a byte order mark, which has to be a file's start.
 */
static bool write_made(const cc_unit *unit, const char *footer, size_t footer_size) {
  static const char mark[] = "\xef\xbb\xbf";
  file_bytes source;
  if (!file_read(unit->file, &source))
    return false;
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    cc_no_memory();
  /* Errors and debug information have the source's name and lines. */
  host_write_line(unit->file, "", to);
  const size_t at = strncmp(source.data, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
  fwrite(source.data + at, 1, source.size - at, to);
  fputc('\n', to);
  fwrite(footer, 1, footer_size, to);
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(unit->made, unit->made, text, size, false);
  free(text);
  file_free(&source);
  return done;
}

/*
 * The runtime's compiler makes header and footer while it compiles. The footer is included, from
 * where system's headers are, of whose code compilers do not warn.
 */
static bool compile_devices(const cc_work *work, const cc_unit *unit) {
  static const char footer[] = "#include <device.footer.hpp>\n";
  char *path = cc_format("%s.footer.hpp", unit->device);
  const cc_sycl_unit sycl_unit = {.file = unit->file,
                                  .id = unit->id,
                                  .header = unit->header,
                                  .footer = path,
                                  .captures = unit->compiler->clang ? "" : unit->captures,
                                  .out = unit->device,
                                  .openmp = unit->compiler->openmp};
  const bool done = cc_sycl_rt_compile(work, &unit->compiler->sycl, &sycl_unit) &&
                    write_made(unit, footer, sizeof footer - 1);
  free(path);
  return done;
}

bool cc_unit_make_texts(cc_work *work, const void *data) {
  const cc_unit *unit = data;
  if (unit->compiler->sycl.directory)
    return compile_devices(work, unit);
  const cc_options *options = work->options;
  cc_texts arguments = {0};
  cc_texts_add_all(&arguments, &options->macros);
  cc_texts_add_all(&arguments, &options->words.read);
  cc_texts_add_all(&arguments, &options->host_words.read);
  cc_place_add_headers(&arguments);
  const host_options how = {
      .file = unit->file,
      .unit_id = unit->id,
      .arguments = arguments.items,
      .argument_count = arguments.count,
  };
  host_text header = {0};
  host_text footer = {0};
  const host_result result =
      unit->bitcode ? host_write_header(&how, &header) : host_write_parts(&how, &header, &footer);
  cc_texts_free(&arguments);
  bool done = result == HOST_SUCCESS;
  if (footer.warnings)
    cc_host_text_warn(&footer);
  /* Where libclang refuses the source, the host's compiler may say more. */
  if (!done && (result != HOST_ERROR_INVALID_SOURCE ||
                cc_host_compiler_takes(work, unit->compiler, unit->file)))
    cc_error("%s", host_get_last_error());
  done = done && file_write(unit->header, unit->header, header.data, header.size, false) &&
         (unit->bitcode || write_made(unit, footer.data, footer.size));
  host_text_release(&header);
  host_text_release(&footer);
  return done;
}

bool cc_unit_make_object(cc_work *work, const void *data) {
  const cc_unit *unit = data;
  char *source = cc_path_word(unit->file);
  char *precompiled = cc_precompiled_use(unit->precompiled, unit->file, unit->directory);
  const cc_host_unit host = {
      .file = unit->file,
      .made = unit->bitcode ? source : unit->made,
      .bitcode = unit->bitcode,
      .precompiled = precompiled,
      .header = unit->header,
      .captures = unit->captures,
      .directory = unit->directory,
      .object = unit->object,
      .depend = unit->depends ? unit->depend : NULL,
  };
  const bool done =
      cc_host_compiler_compile(work, unit->compiler, &host) &&
      (!unit->bitcode || (cc_host_pass_register(work, unit->compiler, &host, unit->id) &&
                          cc_host_compiler_generate(work, unit->compiler, &host)));
  free(precompiled);
  free(source);
  return done;
}

/* ---- The devices' side ---- */

bool cc_unit_make_images(cc_work *work, const void *data) {
  const cc_unit *unit = data;
  const cc_options *whole = work->options;
  if (unit->compiler->sycl.directory)
    return cc_sycl_rt_wrap(work, unit->file, unit->device, unit->images);
  cc_options options = *whole;
  options.emit = CC_EMIT_OBJ;
  options.unit_id = unit->id;
  options.files = (cc_texts){0};
  options.clang_options = (cc_texts){0};
  cc_texts_add(&options.files, unit->file);
  cc_texts_add(&options.clang_options, "-include");
  cc_texts_add(&options.clang_options, unit->header);
  cc_texts_add_all(&options.clang_options, &whole->macros);
  cc_texts_add_all(&options.clang_options, &whole->words.device);
  cc_texts_add_all(&options.clang_options, &whole->device_options);
  /* Steps beside this one name their files in the directory above. */
  cc_work own = {
      .options = &options,
      .scratch = cc_format("%s", unit->device),
      .depend = unit->depends ? unit->device_depend : NULL,
      .progress = work->progress,
  };
  void *object = NULL;
  size_t size;
  const bool done =
      (mkdir(own.scratch, 0700) == 0 || CC_FAIL("%s: %s", own.scratch, strerror(errno))) &&
      cc_emit_object(&own, &object, &size) &&
      file_write(unit->images, unit->images, object, size, false);
  cc_work_free(&own);
  free((char *)own.scratch);
  free(object);
  cc_texts_free(&options.clang_options);
  cc_texts_free(&options.files);
  return done;
}

/* ---- Both ---- */

static bool add_depend(const cc_work *work, const cc_unit *unit, cc_depend *depend) {
  cc_depend_add_path(depend, unit->file);
  bool done = cc_depend_add(depend, unit->depend, work->scratch);
  if (done && strcmp(work->options->words.depend, "-MD") == 0) /* with those of the system */
    cc_precompiled_add_depend(unit->precompiled, unit->directory, depend);
  const size_t targets = unit->compiler->sycl.directory ? 0 : work->options->target_count;
  for (size_t i = 0; i < targets && done; i++) {
    char *from =
        cc_format("%s.%s.d", unit->device_depend, cc_target_name(work->options->targets[i]));
    done = cc_depend_add(depend, from, work->scratch);
    free(from);
  }
  return done;
}

bool cc_unit_add(const cc_work *work, const cc_unit *unit, cc_texts *objects, cc_depend *depend) {
  cc_texts_add(objects, cc_format("%s", unit->object));
  cc_texts_add(objects, cc_format("%s", unit->images));
  return !unit->depends || add_depend(work, unit, depend);
}
