/* The file of specpi inspect: one with images, an archive of such files, or a module. */
#ifndef SPECPI_TOOLS_INSPECT_CONTENTS_H
#define SPECPI_TOOLS_INSPECT_CONTENTS_H

#include "../runtime/image_file.h"

/* A file with images: the file itself, or a member of an archive. */
typedef struct inspect_part {
  char *member; /* its name; NULL for the file itself */
  image_file file;
} inspect_part;

typedef struct inspect_contents {
  const char *path;
  specpi_image_file module; /* NULL for what is none */
  inspect_part *parts;      /* of an archive those that have images */
  size_t part_count, part_room;
  size_t count; /* of images */
  bool is_archive;
  size_t member_count; /* of an archive, with those without images */
} inspect_contents;

/* One image, of which there is one at a time in memory. */
typedef struct inspect_item {
  size_t index;         /* among all images */
  const char *member;   /* NULL where the file is no archive */
  size_t place;         /* among those of the member */
  size_t member_images; /* how many the member has */
  unsigned versions;    /* of its structures in the file, 1 << version each; 0 for a module */
  specpi_image image;
} inspect_item;

/*
 * Opens a file and checks every image in it. Of an archive's members those are opened that begin as
 * ELF files of x86-64 do; one of these that is damaged makes the whole archive so. Time and memory
 * are the file's size. false after a message; close only after true. path has to stay.
 */
bool inspect_contents_open(const char *path, inspect_contents *ret);
void inspect_contents_close(inspect_contents *contents);

/* Calls visit for each image, until one returns false; whether none did. */
bool inspect_contents_visit(const inspect_contents *contents,
                            bool (*visit)(void *context, const inspect_item *item), void *context);

#endif
