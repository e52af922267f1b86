/*
 * A picture filter over libspecpi: one filter with three radii, with native constants and with
 * constants in a buffer. Each result is compared with the host's, byte by byte; then both forms are
 * measured in turn.
 */
#include "blur.h"
#include "options.h"

#include <specpi/specpi.h>

#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: demo-filter [--output DIRECTORY] [--times FILE.json] [--rounds N] [PICTURE.png]\n"
    "Blurs a picture at three radii on the device that ONEAPI_DEVICE_SELECTOR names, and writes\n"
    "DIRECTORY/specpi-radius-N.png. Without PICTURE.png it draws one, DIRECTORY/picture.png. "
    "--times\n"
    "writes a bar chart for bench-chart: medians of N rounds. Exits with 1 when a byte is wrong.\n";

/* X(NAME, name, text): the images that specpi-cc makes of blur.cl, which the program links. */
#define FORMS(X)                                                                                   \
  X(NATIVE, native, "native constants")                                                            \
  X(EMULATED, emulated, "constants in a buffer")

enum form {
#define FORM(NAME, name, text) NAME,
  FORMS(FORM)
#undef FORM
      FORM_COUNT
};

#define FORM(NAME, name, text) extern const pi_device_binaries_struct blur_##name;
FORMS(FORM)
#undef FORM

static const struct form_info {
  const char *text;
  const pi_device_binaries_struct *binaries;
} forms[] = {
#define FORM(NAME, name, text) {text, &blur_##name},
    FORMS(FORM)
#undef FORM
};

/* The device, and the objects for computing a picture on it. */
typedef struct filter {
  specpi_device device;
  specpi_queue queue;
  specpi_image images[FORM_COUNT];
  specpi_bundle bundles[FORM_COUNT];
  specpi_buffer padded, rows, out; /* the picture before, between and after the two steps */
  unsigned width, height;
} filter;

/* The kernels of both steps of the filter, for one radius. */
typedef struct kernels {
  specpi_kernel rows, columns;
} kernels;

static void must(specpi_result result) {
  if (result == SPECPI_SUCCESS)
    return;
  fprintf(stderr, "demo-filter: %s\n", specpiGetLastError());
  exit(1);
}

static specpi_device first_device(void) {
  specpi_device device;
  size_t count;
  must(specpiDevicesGet(NULL, 1, &device, &count));
  if (count == 0) {
    fprintf(stderr, "demo-filter: there is no device; specpi doctor says why\n");
    exit(1);
  }
  return device;
}

static void open_filter(filter *filter, const picture *padded) {
  filter->device = first_device();
  filter->width = padded->width - 2 * BLUR_RADIUS_MAX;
  filter->height = padded->height - 2 * BLUR_RADIUS_MAX;
  must(specpiQueueCreate(filter->device, SPECPI_QUEUE_PROFILING, &filter->queue));
  for (int form = 0; form < FORM_COUNT; form++) {
    must(specpiImageCreate(&forms[form].binaries->DeviceBinaries[0], &filter->images[form]));
    must(specpiBundleCreate(filter->device, 1, &filter->images[form], &filter->bundles[form]));
  }
  const size_t row = filter->width * sizeof(pixel);
  must(specpiBufferCreate(filter->device, picture_count(padded) * sizeof(pixel), padded->pixels,
                          &filter->padded));
  must(specpiBufferCreate(filter->device, row * padded->height, NULL, &filter->rows));
  must(specpiBufferCreate(filter->device, row * filter->height, NULL, &filter->out));
}

static void close_filter(filter *filter) {
  specpiBufferRelease(filter->padded);
  specpiBufferRelease(filter->rows);
  specpiBufferRelease(filter->out);
  for (int form = 0; form < FORM_COUNT; form++) {
    specpiBundleRelease(filter->bundles[form]);
    specpiImageRelease(filter->images[form]);
  }
  specpiQueueRelease(filter->queue);
}

/* Gets the kernels for a radius. The bundle is not changed: the values are for this call only. */
static kernels get_kernels(const filter *filter, int form, int radius) {
  const int32_t constant = radius;
  const blur_weights weights = blur_weights_of(radius);
  const specpi_value values[] = {SPECPI_VALUE("radius", constant),
                                 SPECPI_VALUE("weights", weights)};
  kernels ret;
  must(specpiBundleGetKernel(filter->bundles[form], "blur_rows", NULL, 2, values, &ret.rows));
  must(specpiBundleGetKernel(filter->bundles[form], "blur_columns", NULL, 2, values, &ret.columns));
  return ret;
}

static double milliseconds(specpi_event event) {
  specpi_times times;
  must(specpiEventGetTimes(event, &times));
  specpiEventRelease(event);
  return (double)(times.ended - times.started) * 1e-6;
}

static specpi_event launch(const filter *filter, specpi_kernel kernel, specpi_buffer in,
                           specpi_buffer out, unsigned height) {
  const specpi_range range = {.dimensions = 2, .global = {filter->width * sizeof(pixel), height}};
  const specpi_argument arguments[] = {specpiArgumentBuffer(in), specpiArgumentBuffer(out)};
  specpi_event event;
  must(specpiKernelLaunch(kernel, filter->queue, &range, 2, arguments, 0, NULL, &event));
  return event;
}

/* Blurs once. Returns the time of both kernels on the device. */
static double run(const filter *filter, const kernels *with) {
  specpi_event events[] = {
      launch(filter, with->rows, filter->padded, filter->rows,
             filter->height + 2 * BLUR_RADIUS_MAX),
      launch(filter, with->columns, filter->rows, filter->out, filter->height)};
  must(specpiEventWait(2, events));
  return milliseconds(events[0]) + milliseconds(events[1]);
}

/* Compares the result on the device with the reference; false if a byte differs. */
static bool check(const filter *filter, const char *form, const picture *reference,
                  picture *result) {
  const size_t size = picture_count(result) * sizeof(pixel);
  must(specpiBufferRead(filter->queue, filter->out, 0, size, result->pixels, 0, NULL, NULL));
  const size_t equal = blur_equal_bytes(result, reference);
  if (equal == size)
    return true;
  fprintf(stderr, "demo-filter: %s: %zu of %zu bytes are wrong\n", form, size - equal, size);
  return false;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *numbers, size_t count) {
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  return numbers[count / 2];
}

/* Runs one radius: checks the results of both forms, writes the picture, and measures both forms in
 * turn. Prints the median times. */
static bool show(const filter *filter, const options *all, const picture *padded, int radius,
                 double times[FORM_COUNT]) {
  picture reference = blur_reference(padded, radius),
          result = picture_new(filter->width, filter->height);
  kernels with[FORM_COUNT];
  bool right = true;
  /* The native form runs last, because its picture is written. */
  for (int form = FORM_COUNT - 1; form >= 0; form--) {
    with[form] = get_kernels(filter, form, radius);
    run(filter, &with[form]);
    right = check(filter, forms[form].text, &reference, &result) && right;
  }
  const bool written = options_write(all, "specpi", radius, &result);

  double *rounds = calloc((size_t)all->rounds * FORM_COUNT, sizeof *rounds);
  if (!rounds)
    exit(1);
  for (unsigned round = 0; round < all->rounds; round++)
    for (unsigned form = 0; form < FORM_COUNT; form++)
      rounds[form * all->rounds + round] = run(filter, &with[form]);
  for (unsigned form = 0; form < FORM_COUNT; form++) {
    times[form] = median(&rounds[form * all->rounds], all->rounds);
    specpiKernelRelease(with[form].rows);
    specpiKernelRelease(with[form].columns);
  }
  free(rounds);
  picture_free(&reference);
  picture_free(&result);
  printf("  %6d %9.2f ms %9.2f ms %7.1fx   %s\n", radius, times[NATIVE], times[EMULATED],
         times[EMULATED] / times[NATIVE], right ? "every byte is right" : "WRONG");
  return right && written;
}

/* Writes the table that bench-chart draws. */
static bool write_times(const char *file, const filter *of, double times[BLUR_RADII][FORM_COUNT]) {
  FILE *to = fopen(file, "w");
  if (!to) {
    perror(file);
    return false;
  }
  fprintf(to,
          "{\"kind\": \"bars\",\n"
          " \"title\": \"A Gaussian blur of %u by %u pixels, constants set at run time and in a "
          "buffer\",\n"
          " \"axis\": {\"label\": \"milliseconds a picture (less is better)\"},\n"
          " \"categories\": [",
          of->width, of->height);
  for (int i = 0; i < BLUR_RADII; i++)
    fprintf(to, "%s\"radius %d\"", i ? ", " : "", blur_radii[i]);
  fprintf(to, "],\n \"series\": [");
  for (int form = 0; form < FORM_COUNT; form++) {
    fprintf(to, "%s{\"name\": \"%s\", \"values\": [", form ? ",\n  " : "", forms[form].text);
    for (int i = 0; i < BLUR_RADII; i++)
      fprintf(to, "%s%.6f", i ? ", " : "", times[i][form]);
    fprintf(to, "]}");
  }
  fprintf(to, "]}\n");
  const bool written = !ferror(to);
  if (fclose(to) == 0 && written)
    return true;
  perror(file);
  return false;
}

int main(int argc, char **argv) {
  const options all = options_read(argc, argv, usage);
  picture source;
  if (!options_picture(&all, &source))
    return 1;
  picture padded = blur_padded(&source);
  filter filter;
  open_filter(&filter, &padded);
  printf("  %u by %u pixels on %s; constants native, and read from a buffer, in turns:\n"
         "  medians of %u rounds\n\n"
         "  radius       native   in a buffer\n",
         filter.width, filter.height, specpiDeviceGetName(filter.device), all.rounds);

  bool right = all.picture || options_write_source(&all, &source);
  double times[BLUR_RADII][FORM_COUNT];
  for (int i = 0; i < BLUR_RADII && right; i++)
    right = show(&filter, &all, &padded, blur_radii[i], times[i]);
  if (all.times && right)
    right = write_times(all.times, &filter, times);
  close_filter(&filter);
  picture_free(&padded);
  picture_free(&source);
  return !right;
}
