#include "options.h"

#include "../plugins/base/vector.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *options_text(const options *options) {
  return options->text ? options->text : "";
}

static specpi_result add_bytes(options *options, const char *bytes, size_t size) {
  if (size == 0)
    return SPECPI_SUCCESS;
  /* 2: a blank before the options, and the NUL. */
  if (!vector_resize(&options->text, options->size + size + 2, 1))
    return error_memory();
  if (options->size)
    options->text[options->size++] = ' ';
  memcpy(options->text + options->size, bytes, size);
  options->size += size;
  options->text[options->size] = '\0';
  return SPECPI_SUCCESS;
}

specpi_result options_add(options *options, const char *more) {
  return more ? add_bytes(options, more, strlen(more)) : SPECPI_SUCCESS;
}

/* Adds the compile options of an image, without those for other devices. */
static specpi_result add_compile_options(options *options, const char *text) {
  static const char hint[] = "-ftarget-register-alloc-mode=";
  for (;;) {
    const char *found = strstr(text, hint);
    if (!found)
      return options_add(options, text);
    size_t before = (size_t)(found - text);
    while (before > 0 && text[before - 1] == ' ')
      before--;
    ERROR_TRY(add_bytes(options, text, before));
    text = found + strcspn(found, " ");
    text += strspn(text, " ");
  }
}

/* Adds an option for the level of optimisation with which the image was compiled. */
static specpi_result add_level(options *options, specpi_device device, specpi_image image) {
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *one = &image->properties[i];
    if (strcmp(one->set, PI_PROPERTY_SET_SYCL_MISC_PROP) != 0 ||
        strcmp(one->name, "optLevel") != 0 || one->type != PI_PROPERTY_TYPE_UINT32)
      continue;
    char level[16];
    snprintf(level, sizeof level, "-O%u", (unsigned)one->number);
    const char *backend = NULL;
    if (specpiDeviceGetFunctions(device)->piPluginGetBackendOption(
            specpiPlatformGetHandle(specpiDeviceGetPlatform(device)), level, &backend) ==
        PI_SUCCESS)
      ERROR_TRY(options_add(options, backend));
  }
  return SPECPI_SUCCESS;
}

specpi_result options_add_image(options *options, specpi_device device, specpi_image image,
                                options_step step) {
  if (step != OPTIONS_LINK) {
    ERROR_TRY(add_compile_options(options, specpiImageGetCompileOptions(image)));
    ERROR_TRY(add_level(options, device, image));
  }
  if (step != OPTIONS_COMPILE)
    ERROR_TRY(options_add(options, specpiImageGetLinkOptions(image)));
  return SPECPI_SUCCESS;
}

void options_clear(options *options) {
  free(options->text);
  *options = (struct options){0};
}
