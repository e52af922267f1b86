/* specpi inspect: the device images in a file. */
#define _POSIX_C_SOURCE 200809L /* mkdir, open */
#include "inspect.h"

#include "../runtime/image_file.h"
#include "json.h"
#include "tool.h"

#include "../plugins/base/nearest.h"
#include "../plugins/code/code_head.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "Usage: specpi inspect FILE [--json] [--extract DIR]\n"
    "Lists the device images in an executable, a shared library or an object file, with their\n"
    "kernels and specialization constants; or what a module of SPIR-V or PTX has of these. Runs\n"
    "nothing of the file.\n"
    "\n"
    "  --json          print everything as one JSON object\n"
    "  --extract DIR   write the bytes of each image into a new file in DIR\n"
    "  --help          print this text\n";

typedef struct request {
  const char *path;
  const char *folder; /* NULL without --extract */
  bool json;
} request;

/* What the file is: one with images, or a module, which is an image itself. */
typedef struct contents {
  image_file file;
  specpi_image_file module; /* NULL for a file with images */
  size_t count;
} contents;

static void fail_request(const request *request, const elf_reason *reason) {
  tool_error("%s: %s", request->path, reason->text);
}

/* Calls visit for each image, until one returns false; whether none did. */
static bool for_each(const request *request, const contents *of,
                     bool (*visit)(void *context, size_t index, specpi_image image),
                     void *context) {
  specpi_image module;
  size_t count;
  if (of->module)
    return specpiImageFileGetImages(of->module, 1, &module, &count) == SPECPI_SUCCESS &&
           visit(context, 0, module);
  for (size_t i = 0; i < of->count; i++) {
    image_copy copy;
    elf_reason reason;
    if (!image_file_load(&of->file, i, &copy, &reason)) {
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

static bool print_json(const request *request, const contents *of) {
  json_t *path = tool_json_text(request->path);
  fputs("{\"file\": ", stdout);
  json_dumpf(path, stdout, JSON_ENCODE_ANY);
  json_decref(path);
  fputs(", \"images\": [", stdout);
  if (!for_each(request, of, visit_json, stdout))
    return false;
  puts("]}");
  return true;
}

static bool print_text(const request *request, const contents *of) {
  printf("%s: %zu device image%s\n", request->path, of->count, of->count == 1 ? "" : "s");
  return for_each(request, of, visit_text, stdout);
}

/* No more than IMAGE_FILE_SHARED times the file's bytes: a damaged file does not fill the disk. */
static bool extract_all(const request *request, const contents *of) {
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
  const bool done = for_each(request, of, visit_extract, &to);
  close(to.folder);
  return done;
}

static bool is_module(const char *path) {
  size_t size;
  const char *bytes = tool_map_file(path, &size);
  if (!bytes)
    return false;
  const code_kind kind = code_head_read(bytes, size).kind;
  munmap((void *)(uintptr_t)bytes, size);
  return kind == CODE_IS_SPIRV || kind == CODE_IS_PTX;
}

static bool open_contents(const request *request, contents *ret) {
  *ret = (contents){.count = 1};
  elf_reason reason;
  if (is_module(request->path)) {
    const bool opened = specpiImageFileOpen(request->path, &ret->module) == SPECPI_SUCCESS;
    if (!opened)
      tool_error("%s", specpiGetLastError());
    return opened;
  }
  if (image_file_open(&ret->file, request->path, &reason)) {
    ret->count = ret->file.count;
    return true;
  }
  fail_request(request, &reason);
  return false;
}

static int inspect(const request *request) {
  contents of;
  if (!open_contents(request, &of))
    return TOOL_FAILURE;
  bool done = request->json ? print_json(request, &of) : print_text(request, &of);
  if (done && (fflush(stdout) != 0 || ferror(stdout))) {
    tool_error("the list could not be written");
    done = false;
  }
  if (done && request->folder)
    done = extract_all(request, &of);
  if (of.module)
    specpiImageFileRelease(of.module);
  else
    image_file_close(&of.file);
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
