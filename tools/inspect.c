/* specpi inspect: the device images in a file. */
#define _POSIX_C_SOURCE 200809L /* mkdir, open */
#include "inspect.h"

#include "../runtime/image_file.h"
#include "json.h"
#include "tool.h"

#include "../plugins/base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "Usage: specpi inspect FILE [--json] [--extract DIR]\n"
    "Lists the device images in an executable, a shared library or an object file, with their\n"
    "kernels and specialization constants. Runs nothing of the file.\n"
    "\n"
    "  --json          print everything as one JSON object\n"
    "  --extract DIR   write the bytes of each image into a new file in DIR\n"
    "  --help          print this text\n";

typedef struct request {
  const char *path;
  const char *folder; /* NULL without --extract */
  bool json;
} request;

static void fail_request(const request *request, const elf_reason *reason) {
  tool_error("%s: %s", request->path, reason->text);
}

/* Calls visit for each image, until one returns false; whether none did. */
static bool for_each(const request *request, const image_file *file,
                     bool (*visit)(void *context, size_t index, specpi_image image),
                     void *context) {
  for (size_t i = 0; i < file->count; i++) {
    image_copy copy;
    elf_reason reason;
    if (!image_file_load(file, i, &copy, &reason)) {
      fail_request(request, &reason);
      return false;
    }
    const bool more = visit(context, i, copy.image);
    image_copy_release(&copy);
    if (!more)
      return false;
  }
  return true;
}

/* ---- The three things to do with an image ---- */

static bool visit_text(void *context, size_t index, specpi_image image) {
  inspect_print(context, index, image);
  return true;
}

/* An image at a time: a tree of all of them would need several times the file's size. */
static bool visit_json(void *context, size_t index, specpi_image image) {
  json_t *object = inspect_json(image);
  fputs(index ? ",\n" : "\n", context);
  const bool written = json_dumpf(object, context, JSON_INDENT(2)) == 0;
  json_decref(object);
  return written;
}

typedef struct extraction {
  const char *name;
  int folder;
} extraction;

static bool visit_extract(void *context, size_t index, specpi_image image) {
  const extraction *to = context;
  return inspect_extract(to->folder, to->name, index, image);
}

/* ---- All images ---- */

static bool print_json(const request *request, const image_file *file) {
  json_t *path = tool_json_text(request->path);
  fputs("{\"file\": ", stdout);
  json_dumpf(path, stdout, JSON_ENCODE_ANY);
  json_decref(path);
  fputs(", \"images\": [", stdout);
  if (!for_each(request, file, visit_json, stdout))
    return false;
  puts("]}");
  return true;
}

static bool print_text(const request *request, const image_file *file) {
  printf("%s: %zu device image%s\n", request->path, file->count, file->count == 1 ? "" : "s");
  return for_each(request, file, visit_text, stdout);
}

/* No more than IMAGE_FILE_SHARED times the file's bytes: a damaged file does not fill the disk. */
static bool extract_all(const request *request, const image_file *file) {
  extraction to = {.name = request->folder};
  if (mkdir(to.name, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", to.name, strerror(errno));
    return false;
  }
  to.folder = open(to.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (to.folder < 0) {
    tool_error("%s: %s", to.name, strerror(errno));
    return false;
  }
  const bool done = for_each(request, file, visit_extract, &to);
  close(to.folder);
  return done;
}

static int inspect(const request *request) {
  image_file file;
  elf_reason reason;
  if (!image_file_open(&file, request->path, &reason)) {
    fail_request(request, &reason);
    return TOOL_FAILURE;
  }
  bool done = request->json ? print_json(request, &file) : print_text(request, &file);
  if (done && (fflush(stdout) != 0 || ferror(stdout))) {
    tool_error("the list could not be written");
    done = false;
  }
  if (done && request->folder)
    done = extract_all(request, &file);
  image_file_close(&file);
  return done ? TOOL_SUCCESS : TOOL_FAILURE;
}

int tool_inspect(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                          {"extract", required_argument, NULL, 'x'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  request request = {.path = NULL};
  for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;)
    switch (option) {
    case 'j':
      request.json = true;
      break;
    case 'x':
      request.folder = optarg;
      break;
    case 'h':
      fputs(usage, stdout);
      return TOOL_SUCCESS;
    default:
      nearest_option(argv[0], argv[optind - 1], options);
      return TOOL_USAGE;
    }
  if (argc - optind != 1)
    return tool_refuse_use("inspect", "inspect takes one file, not %d", argc - optind);
  request.path = argv[optind];
  return inspect(&request);
}
