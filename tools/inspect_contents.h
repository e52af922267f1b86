/* The file of specpi inspect: an ELF file with images, an archive of such files, or a module. */
#ifndef SPECPI_TOOLS_INSPECT_CONTENTS_H
#define SPECPI_TOOLS_INSPECT_CONTENTS_H

#include "../runtime/image_file.h"

/* An ELF file with images: the file itself, or a member of an archive. */
typedef struct inspect_part {
  char *member; /* its name; NULL for the file itself */
  image_file file;
} inspect_part;

typedef struct inspect_contents {
  const char *path;
  specpi_image_file module; /* NULL if the file is no module */
  inspect_part *parts;      /* the ELF file, or the members of the archive that have images */
  size_t part_count, part_room;
  size_t count; /* number of images */
  bool is_archive;
  size_t member_count; /* of the archive, including members without images */
} inspect_contents;

/* An image, as passed to a visitor. Only one is in memory at a time. */
typedef struct inspect_item {
  size_t index;         /* among all images */
  const char *member;   /* name of the member; NULL if the file is no archive */
  size_t place;         /* index among the member's images */
  size_t member_images; /* number of images in the member */
  unsigned versions;    /* 1 << version for each version of its structures; 0 for a module */
  specpi_image image;
} inspect_item;

/*
 * Opens a file and checks every image in it. In an archive it opens the members that start like ELF
 * files of x86-64; it fails if one of these is damaged. Time and memory are proportional to the
 * file's size. path must stay valid. Returns false after it printed a message; then the caller must
 * not call inspect_contents_close.
 */
bool inspect_contents_open(const char *path, inspect_contents *ret);
void inspect_contents_close(inspect_contents *contents);

/* Calls visit for each image, until visit returns false. Returns false if it did, or on errors. */
bool inspect_contents_visit(const inspect_contents *contents,
                            bool (*visit)(void *context, const inspect_item *item), void *context);

#endif
