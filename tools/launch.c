/* specpi launch: runs one kernel of a library of device images. */
#define _GNU_SOURCE /* dlopen's flags */
#include "launch_argument.h"
#include "launch_child.h"
#include "launch_constant.h"
#include "launch_output.h"
#include "launch_report.h"
#include "launch_warning.h"
#include "terminal.h"
#include "tool.h"

#include "../plugins/base/digits.h"
#include "../plugins/base/nearest.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: specpi launch IMAGE.so KERNEL --global N[,N[,N]] [--local N[,N[,N]]]\n"
    "                     [--set NAME=VALUE]... [--arg SPEC]... [--repeat N]\n"
    "                     [--output ARGUMENT=FILE]... [--json] [-v]\n"
    "Loads a library of device images, sets constants of the kernel's image, builds it for the\n"
    "best device that ONEAPI_DEVICE_SELECTOR chooses, and runs the kernel.\n"
    "\n"
    "  --global N[,N[,N]]      work-items in each of 1 to 3 dimensions\n"
    "  --local N[,N[,N]]       work-items of a work-group; chosen by the runtime without it\n"
    "  --set NAME=VALUE        a constant's value, of the type that it has in the image\n"
    "  --set NAME=TYPE:VALUE   the same of a type; TYPE hex takes the bytes of any constant\n"
    "  --set NAME@OFFSET=...   a part of a constant: the bytes at OFFSET\n"
    "  --arg TYPE=VALUE        an argument by value; TYPE hex takes the bytes of a structure\n"
    "  --arg TYPE[COUNT]=iota  a buffer: 0, 1, 2 ...; or zero; or @FILE, its bytes as they are;\n"
    "                          or COUNT numbers, separated by commas\n"
    "  --arg local:BYTES       memory of each work-group\n"
    "  --repeat N              run the kernel N times, with the same buffers each time, and print\n"
    "                          the median, the fastest and the slowest\n"
    "  --output ARGUMENT=FILE  write the bytes of a buffer after the run; 0 is the first argument\n"
    "  --json                  print the buffers after the run, unless it is repeated, and the "
    "time\n"
    "                          as {\"args\":[[...],...],\"ns\":..}\n"
    "  -v, --verbose           print which device is taken\n"
    "  -h, --help              print this text\n"
    "\n"
    "--arg stands once for each argument, in the source's order. TYPE is i8, i16, i32, i64, f16,\n"
    "f32, f64 or bool.\n";

enum { REPEATS_MAX = 1000000 };

/*
 * The options of the command line, and the objects made from them. Lists have space for argc
 * elements.
 */
typedef struct job {
  const char *library;
  const char *kernel;
  specpi_range range;
  unsigned local_dimensions;
  launch_constant *constants;
  size_t constant_count;
  launch_argument *arguments;
  size_t argument_count;
  launch_output *outputs;
  size_t output_count;
  size_t repeats;
  bool json;
  bool is_verbose;
  specpi_device device;
  launch_warnings warnings;
  uint64_t *times; /* one per run, in nanoseconds */
} job;

/* ---- The command line ---- */

/* Parses N[,N[,N]]. Returns false after an error. */
static bool parse_sizes(const char *option, const char *text, size_t *sizes, unsigned *dimensions) {
  const char *next = text;
  for (*dimensions = 0; *dimensions < 3; next++) {
    uint64_t value;
    if (!digits_read(&next, NULL, SIZE_MAX, &value))
      break;
    sizes[(*dimensions)++] = (size_t)value;
    if (*next == '\0')
      return true;
    if (*next != ',')
      break;
  }
  tool_error("\"%s\" of %s is not one, two or three numbers, separated by commas", text, option);
  return false;
}

/* Parses a number from 1 to REPEATS_MAX. Returns false after an error. */
static bool parse_repeats(const char *text, size_t *ret) {
  const bool good = number_parse_count(text, text + strlen(text), ret) && *ret != 0;
  if (good && *ret <= REPEATS_MAX)
    return true;
  tool_error("\"%s\" of --repeat is not a number from 1 to %d", text, REPEATS_MAX);
  return false;
}

/* Reports and frees a reason why an option is wrong. Returns true if reason is NULL. */
static bool accept(char *reason, const char *option, const char *text) {
  if (reason)
    tool_error("%s %s: %s", option, text, reason);
  free(reason);
  return !reason;
}

/* Parses one option. Returns TOOL_SUCCESS to go on, else the exit status. */
static int take_option(job *job, int option) {
  bool good = true;
  switch (option) {
  case 'g':
    good = parse_sizes("--global", optarg, job->range.global, &job->range.dimensions);
    break;
  case 'l':
    good = parse_sizes("--local", optarg, job->range.local, &job->local_dimensions);
    break;
  case 's':
    good = accept(launch_constant_parse(optarg, &job->constants[job->constant_count++]), "--set",
                  optarg);
    break;
  case 'a':
    good = accept(launch_argument_parse(optarg, &job->arguments[job->argument_count++]), "--arg",
                  optarg);
    break;
  case 'o':
    good =
        accept(launch_output_parse(optarg, &job->outputs[job->output_count++]), "--output", optarg);
    break;
  case 'r':
    good = parse_repeats(optarg, &job->repeats);
    break;
  case 'v':
    job->is_verbose = true;
    break;
  case 'j':
    job->json = true;
    break;
  default:
    good = false;
  }
  return good ? TOOL_SUCCESS : TOOL_USAGE;
}

/* Checks that the options fit together. */
static int check_job(const job *job) {
  if (!job->kernel)
    return tool_refuse_use("launch", "launch needs a library and the name of a kernel");
  if (job->range.dimensions == 0)
    return tool_refuse_use("launch", "launch needs --global");
  if (job->local_dimensions && job->local_dimensions != job->range.dimensions) {
    tool_error("--global has %u dimension%s and --local %u", job->range.dimensions,
               job->range.dimensions == 1 ? "" : "s", job->local_dimensions);
    return TOOL_USAGE;
  }
  for (unsigned i = 0; i < job->local_dimensions; i++)
    if (job->range.local[i] == 0) {
      tool_error("--local has a 0");
      return TOOL_USAGE;
    }
  for (size_t i = 0; i < job->output_count; i++)
    if (!accept(launch_output_check(&job->outputs[i], job->arguments, job->argument_count),
                "--output", job->outputs[i].spec))
      return TOOL_USAGE;
  return TOOL_SUCCESS;
}

/* ---- The run ---- */

/* Prints libspecpi's message if a call failed. Returns whether it succeeded. */
static bool works(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    tool_error("%s", specpiGetLastError());
  return result == SPECPI_SUCCESS;
}

/* Kinds of files, to explain frequent mistakes better than dlopen's messages do. */
typedef enum file_kind { FILE_MAY_LOAD, FILE_IS_OBJECT, FILE_IS_NO_ELF } file_kind;

static file_kind file_kind_of(const char *path) {
  size_t size;
  const char *bytes = tool_map_file(path, &size);
  if (!bytes)
    return FILE_MAY_LOAD;
  Elf64_Half type = ET_NONE;
  const bool is_elf = size >= sizeof(Elf64_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0;
  if (is_elf)
    memcpy(&type, bytes + offsetof(Elf64_Ehdr, e_type), sizeof type);
  tool_unmap_file(bytes, size);
  if (!is_elf)
    return FILE_IS_NO_ELF;
  return type == ET_REL ? FILE_IS_OBJECT : FILE_MAY_LOAD;
}

/*
 * Loads the library, whose constructor registers its images with the libspecpi that this program
 * is linked to. It stays loaded.
 */
static bool load_library(const char *path) {
  char *absolute = realpath(path, NULL);
  if (!absolute) {
    tool_error("%s: %s", path, strerror(errno));
    return false;
  }
  const file_kind kind = file_kind_of(absolute);
  bool loaded = false;
  size_t before = 0;
  size_t after = 0;
  if (kind == FILE_IS_NO_ELF)
    tool_error("%s cannot be loaded: it is no ELF file; specpi-cc --emit=so makes a library of "
               "kernels and of SPIR-V",
               path);
  else if (kind == FILE_IS_OBJECT)
    tool_error("%s is an object file, which cannot be loaded: make a library of it with "
               "cc -shared -o IMAGE.so %s, or with specpi-cc --emit=so",
               path, path);
  else if (!works(specpiImagesGet(0, NULL, &before)))
    ;
  else if (!dlopen(absolute, RTLD_NOW | RTLD_LOCAL))
    tool_error("%s cannot be loaded: %s", path, dlerror());
  else if (works(specpiImagesGet(0, NULL, &after))) {
    loaded = after > before;
    if (!loaded)
      tool_error("%s registers no device image", path);
  }
  free(absolute);
  return loaded;
}

static bool has_kernel(specpi_image image, const char *kernel) {
  size_t count = 0;
  bool found = false;
  if (specpiImageGetKernels(image, 0, NULL, &count) != SPECPI_SUCCESS)
    return false;
  const char **names = tool_new_list(count, sizeof *names);
  specpiImageGetKernels(image, count, names, &count);
  for (size_t i = 0; i < count && !found; i++)
    found = strcmp(names[i], kernel) == 0;
  free(names);
  return found;
}

/* Returns the registered images that contain the kernel, in a list that the caller frees. */
static specpi_image *find_images(const char *kernel, size_t *count) {
  size_t all = 0;
  *count = 0;
  specpiImagesGet(0, NULL, &all);
  specpi_image *images = tool_new_list(all, sizeof(specpi_image));
  specpiImagesGet(all, images, &all);
  for (size_t i = 0; i < all; i++)
    if (has_kernel(images[i], kernel))
      images[(*count)++] = images[i];
  return images;
}

/* Returns the first device that takes an image with the kernel; if none does, the first device. */
static specpi_device choose_taker(const specpi_device *devices, size_t count, const char *kernel) {
  specpi_device chosen = NULL;
  size_t image_count, index;
  specpi_image *images = find_images(kernel, &image_count);
  for (size_t i = 0; i < count && image_count != 0 && !chosen; i++)
    if (specpiImageSelect(devices[i], image_count, images, &index) == SPECPI_SUCCESS)
      chosen = devices[i];
  free(images);
  return chosen ? chosen : devices[0];
}

static bool choose_device(job *job) {
  specpi_device *devices;
  size_t count;
  if (!works(tool_devices(true, &devices, &count)))
    return false;
  if (count == 0)
    tool_error("there is no device%s; specpi doctor says why",
               getenv("ONEAPI_DEVICE_SELECTOR") ? " that ONEAPI_DEVICE_SELECTOR chooses" : "");
  else
    job->device = choose_taker(devices, count, job->kernel);
  if (job->device && job->is_verbose) {
    char *line = tool_device_line(job->device);
    fprintf(stderr, "specpi: the kernel runs on %s\n", line);
    free(line);
  }
  free(devices);
  return count != 0;
}

static bool set_constants(const job *job, specpi_bundle bundle) {
  for (size_t i = 0; i < job->constant_count; i++) {
    char *reason = launch_constant_set(bundle, &job->constants[i]);
    if (reason) {
      tool_error("%s", reason);
      free(reason);
      return false;
    }
  }
  return true;
}

static bool make_kernel(const job *job, specpi_kernel *ret) {
  specpi_bundle input = NULL;
  const bool made = works(specpiBundleCreateForKernel(job->device, job->kernel, &input)) &&
                    set_constants(job, input) &&
                    works(specpiBundleGetKernel(input, job->kernel, NULL, 0, NULL, ret));
  specpiBundleRelease(input);
  return made;
}

/* Reads the files that --arg options name. Called early, so that errors are reported at once. */
static bool load_arguments(job *job) {
  for (size_t i = 0; i < job->argument_count; i++)
    if (!accept(launch_argument_load(&job->arguments[i]), "--arg", job->arguments[i].spec))
      return false;
  return true;
}

/* Fills the kernel's argument list, and creates the buffers with their content. */
static bool make_arguments(job *job, specpi_argument *list) {
  for (size_t i = 0; i < job->argument_count; i++) {
    launch_argument *one = &job->arguments[i];
    if (one->kind == SPECPI_ARGUMENT_BUFFER &&
        !works(specpiBufferCreate(job->device, one->size, one->bytes, &one->buffer)))
      return false;
    list[i] = (specpi_argument){one->kind, one->size, one->bytes, one->buffer};
  }
  return true;
}

static bool read_buffers(job *job, specpi_queue queue) {
  for (size_t i = 0; i < job->argument_count; i++) {
    launch_argument *one = &job->arguments[i];
    if (one->buffer &&
        !works(specpiBufferRead(queue, one->buffer, 0, one->size, one->bytes, 0, NULL, NULL)))
      return false;
  }
  return true;
}

/* Restores the buffers' content from before the first run. */
static bool restore_buffers(const job *job, specpi_queue queue) {
  for (size_t i = 0; i < job->argument_count; i++) {
    const launch_argument *one = &job->arguments[i];
    if (one->buffer &&
        !works(specpiBufferWrite(queue, one->buffer, 0, one->size, one->bytes, 0, NULL, NULL)))
      return false;
  }
  return true;
}

static bool launch_once(const job *job, specpi_kernel kernel, specpi_queue queue,
                        const specpi_argument *arguments, uint64_t *time) {
  specpi_event event = NULL;
  specpi_times times = {0};
  const bool ran = works(specpiKernelLaunch(kernel, queue, &job->range, job->argument_count,
                                            arguments, 0, NULL, &event)) &&
                   works(specpiEventWait(1, &event)) && works(specpiEventGetTimes(event, &times));
  specpiEventRelease(event);
  *time = times.ended - times.started;
  return ran;
}

static void print_warnings(job *job) {
  launch_warnings_find(job->kernel, job->arguments, job->argument_count, &job->warnings);
  for (size_t i = 0; i < job->warnings.count; i++)
    tool_error("warning: %s", job->warnings.texts[i]);
}

static bool launch_kernel(job *job, specpi_kernel kernel, specpi_queue queue,
                          const specpi_argument *arguments) {
  launch_child_runs_kernel();
  for (size_t i = 0; i < job->repeats; i++)
    if ((i > 0 && !restore_buffers(job, queue)) ||
        !launch_once(job, kernel, queue, arguments, &job->times[i]))
      return false;
  return read_buffers(job, queue);
}

static bool run_job(job *job) {
  if (!load_arguments(job) || !load_library(job->library) || !choose_device(job))
    return false;
  specpi_kernel kernel = NULL;
  specpi_queue queue = NULL;
  specpi_argument *arguments = calloc(job->argument_count + 1, sizeof *arguments);
  if (!arguments)
    tool_no_memory();
  bool ran = make_kernel(job, &kernel) && make_arguments(job, arguments);
  if (ran)
    print_warnings(job);
  ran = ran && works(specpiQueueCreate(job->device, SPECPI_QUEUE_PROFILING, &queue)) &&
        launch_kernel(job, kernel, queue, arguments);
  specpiQueueRelease(queue);
  specpiKernelRelease(kernel);
  free(arguments);
  return ran;
}

static int report_job(job *job) {
  const launch_report report = {.device = job->device,
                                .kernel = job->kernel,
                                .range = &job->range,
                                .arguments = job->arguments,
                                .count = job->argument_count,
                                .warnings = &job->warnings,
                                .times = job->times,
                                .repeats = job->repeats};
  for (size_t i = 0; i < job->output_count; i++)
    if (!accept(launch_output_write(&job->outputs[i], job->arguments), "--output",
                job->outputs[i].spec))
      return TOOL_FAILURE;
  if (job->json)
    return launch_report_json(&report) ? TOOL_SUCCESS : TOOL_FAILURE;
  launch_report_text(&report);
  return TOOL_SUCCESS;
}

static int run_and_report(void *data) {
  job *job = data;
  job->times = calloc(job->repeats, sizeof *job->times);
  if (!job->times)
    tool_no_memory();
  const int status = run_job(job) ? report_job(job) : TOOL_FAILURE;
  free(job->times);
  launch_warnings_free(&job->warnings);
  return status;
}

static int parse_and_run(job *job, int argc, char **argv) {
  static const struct option options[] = {
      {"global", required_argument, NULL, 'g'}, {"local", required_argument, NULL, 'l'},
      {"set", required_argument, NULL, 's'},    {"arg", required_argument, NULL, 'a'},
      {"repeat", required_argument, NULL, 'r'}, {"output", required_argument, NULL, 'o'},
      {"json", no_argument, NULL, 'j'},         {"verbose", no_argument, NULL, 'v'},
      {"help", no_argument, NULL, 'h'},         {0}};
  for (int option; (option = getopt_long(argc, argv, "vh", options, NULL)) != -1;) {
    if (option == 'h') {
      fputs(usage, stdout);
      return TOOL_SUCCESS;
    }
    if (option == '?')
      nearest_option(argv[0], argv[optind - 1], options);
    const int status = take_option(job, option);
    if (status != TOOL_SUCCESS)
      return status;
  }
  if (argc - optind > 2)
    return tool_refuse_use("launch", "launch takes no argument \"%s\"", argv[optind + 2]);
  job->library = optind < argc ? argv[optind] : NULL;
  job->kernel = optind + 1 < argc ? argv[optind + 1] : NULL;
  const int status = check_job(job);
  if (status != TOOL_SUCCESS)
    return status;
  /* Called here, because in the child stdout is a file and not the terminal. */
  if (!job->json)
    terminal_use(TERMINAL_PLAIN);
  return launch_in_child(run_and_report, job);
}

int tool_launch(int argc, char **argv) {
  job job = {.constants = calloc((size_t)argc, sizeof *job.constants),
             .arguments = calloc((size_t)argc, sizeof *job.arguments),
             .outputs = calloc((size_t)argc, sizeof *job.outputs),
             .repeats = 1};
  if (!job.constants || !job.arguments || !job.outputs)
    tool_no_memory();
  const int status = parse_and_run(&job, argc, argv);
  for (size_t i = 0; i < job.constant_count; i++)
    launch_constant_clear(&job.constants[i]);
  for (size_t i = 0; i < job.argument_count; i++)
    launch_argument_clear(&job.arguments[i]);
  free(job.constants);
  free(job.arguments);
  free(job.outputs);
  return status;
}
