#define _GNU_SOURCE /* setenv */
#include "program.h"

#include "input.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The objects of one FILE. */
static bool add_objects(cc_work *work, const cc_host_compiler *compiler, const char *file,
                        cc_texts *objects, cc_depend *depend) {
  if (cc_input_is_unit(file))
    return cc_input_may_compile(file) && cc_unit_make(work, compiler, file, objects, depend);
  if (access(file, R_OK) != 0)
    return CC_FAIL("%s: %s", file, strerror(errno));
  cc_texts_add(objects, cc_path_word(file));
  return true;
}

static bool write_depend(const cc_work *work, const cc_depend *depend, const char *temporary) {
  const cc_options *options = work->options;
  char *text = cc_depend_text(depend, &options->words, options->out);
  const bool done = file_write(options->depend_out, temporary, text, strlen(text), false);
  free(text);
  return done;
}

/* Puts the objects together, in the scratch folder. */
static bool link_program(cc_work *work, const cc_host_compiler *compiler, const cc_texts *objects,
                         const char *made) {
  const cc_options *options = work->options;
  return options->emit == CC_EMIT_PROGRAM
             ? cc_host_compiler_link(work, compiler, objects, made)
             : cc_host_compiler_merge(work, compiler, options->files.items[0], objects, made);
}

static bool make_program(cc_work *work, const cc_host_compiler *compiler, cc_texts *objects,
                         cc_depend *depend, const char *made) {
  const cc_texts *files = &work->options->files;
  for (size_t i = 0; i < files->count; i++)
    if (!add_objects(work, compiler, files->items[i], objects, depend))
      return false;
  return link_program(work, compiler, objects, made);
}

bool cc_program_write(cc_work *work, const char *temporary, const char *depend_temporary) {
  const cc_options *options = work->options;
  const bool program = options->emit == CC_EMIT_PROGRAM;
  /* So that what compilers leave behind when they are ended goes with the folder. */
  setenv("TMPDIR", work->scratch, 1);
  cc_host_compiler compiler;
  cc_texts objects = {0};
  cc_depend depend = {0};
  file_bytes bytes = {0};
  char *made = cc_work_file(work, program ? "" : ".o");
  const bool done =
      cc_host_compiler_open(work, options->files.items[0], &compiler) &&
      make_program(work, &compiler, &objects, options->depend_out ? &depend : NULL, made) &&
      file_read(made, &bytes) &&
      (!options->depend_out || write_depend(work, &depend, depend_temporary)) &&
      file_write(options->out, temporary, bytes.data, bytes.size, program);
  file_free(&bytes);
  free(made);
  for (size_t i = 0; i < objects.count; i++)
    free((char *)objects.items[i]);
  cc_texts_free(&objects);
  cc_depend_free(&depend);
  cc_host_compiler_free(&compiler);
  return done;
}
