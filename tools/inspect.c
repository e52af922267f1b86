/* specpi inspect: lists or extracts the device images in a file. */
#define _POSIX_C_SOURCE 200809L /* mkdir, open */
#include "inspect.h"

#include "inspect_contents.h"
#include "json.h"
#include "terminal.h"
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
    "Lists the device images in an executable, a shared library, an object file or an archive of\n"
    "these, with their kernels and specialization constants; or what a module of SPIR-V or PTX\n"
    "has of these. Runs nothing of the file.\n"
    "\n"
    "  --json          print everything as one JSON object\n"
    "  --extract DIR   write the bytes of each image into a new file in DIR\n"
    "  -h, --help      print this text\n";

typedef struct request {
  const char *path;
  const char *directory; /* NULL without --extract */
  bool json;
} request;

/* ---- Visitors of one image: print, JSON, extract ---- */

static bool visit_text(void *context, const inspect_item *item) {
  if (item->member && item->place == 0) {
    inspect_put_text(context, item->member, strlen(item->member));
    fprintf(context, ": %zu device image%s\n", item->member_images,
            item->member_images == 1 ? "" : "s");
  }
  inspect_print(context, item->index, item->image, item->versions);
  return true;
}

/* Writes one image's JSON object; a tree of all images would need several times the file's size. */
static bool visit_json(void *context, const inspect_item *item) {
  json_t *object = inspect_json(item->image, item->versions);
  tool_json_member(object, "member", item->member ? tool_json_text(item->member) : json_null());
  fputs(item->index ? ",\n" : "\n", context);
  const bool written = json_dumpf(object, context, JSON_INDENT(2)) == 0;
  json_decref(object);
  return written;
}

typedef struct extraction {
  const char *name;
  int directory;
} extraction;

static bool visit_extract(void *context, const inspect_item *item) {
  const extraction *to = context;
  return inspect_extract(to->directory, to->name, item->index, item->image);
}

/* ---- All images ---- */

static bool print_json(const inspect_contents *of) {
  json_t *path = tool_json_text(of->path);
  fputs("{\"file\": ", stdout);
  json_dumpf(path, stdout, JSON_ENCODE_ANY);
  json_decref(path);
  fputs(", \"images\": [", stdout);
  if (!inspect_contents_visit(of, visit_json, stdout))
    return false;
  puts("]}");
  return true;
}

static bool print_text(const inspect_contents *of) {
  printf("%s: %zu device image%s", of->path, of->count, of->count == 1 ? "" : "s");
  if (of->is_archive)
    printf(" in %zu of %zu member%s", of->part_count, of->member_count,
           of->member_count == 1 ? "" : "s");
  putchar('\n');
  return inspect_contents_visit(of, visit_text, stdout);
}

/*
 * Extracts all images. The reader limits their total size to IMAGE_FILE_SHARED times the file's, so
 * that a damaged file cannot fill the disk.
 */
static bool extract_all(const request *request, const inspect_contents *of) {
  extraction to = {.name = request->directory};
  if (mkdir(to.name, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", to.name, strerror(errno));
    return false;
  }
  to.directory = open(to.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (to.directory < 0) {
    tool_error("%s: %s", to.name, strerror(errno));
    return false;
  }
  const bool done = inspect_contents_visit(of, visit_extract, &to);
  close(to.directory);
  return done;
}

static int inspect(const request *request) {
  inspect_contents of;
  if (!inspect_contents_open(request->path, &of))
    return TOOL_FAILURE;
  if (!request->json)
    terminal_use(TERMINAL_HEADS);
  bool done = request->json ? print_json(&of) : print_text(&of);
  if (done && (fflush(stdout) != 0 || ferror(stdout))) {
    tool_error("the list could not be written");
    done = false;
  }
  if (done && request->directory)
    done = extract_all(request, &of);
  inspect_contents_close(&of);
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
      request.directory = optarg;
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
