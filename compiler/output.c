#include "output.h"

#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
  specpi_compiler_output output;
  specpi_compiler_form form;
} request;

static specpi_compiler_result keep_bytes(const request *request, const char *bytes, size_t size) {
  char *copy = malloc(size + 1);
  if (copy == NULL)
    return compiler_error_memory();
  memcpy(copy, bytes, size);
  copy[size] = '\0';
  request->output->forms[request->form].bytes = copy;
  request->output->forms[request->form].size = size;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_properties(specpi_compiler_output output, char **ret,
                                               size_t *size) {
  specpi_compiler_properties properties;
  COMPILER_TRY(specpiCompilerOutputGetProperties(output, &properties));
  const specpi_compiler_result result =
      specpiCompilerPropertiesWrite(properties, SPECPI_COMPILER_PROPERTY_FORM_TEXT, ret, size);
  specpiCompilerPropertiesRelease(properties);
  return result;
}

static specpi_compiler_result write_form(void *data) {
  const request *request = data;
  specpi_compiler_result result = SPECPI_COMPILER_ERROR_INTERNAL;
  switch (request->form) {
  case SPECPI_COMPILER_FORM_LL: {
    char *text = LLVMPrintModuleToString(request->output->llvm);
    result = keep_bytes(request, text, strlen(text));
    LLVMDisposeMessage(text);
    break;
  }
  case SPECPI_COMPILER_FORM_BC: {
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(request->output->llvm);
    result = keep_bytes(request, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    break;
  }
  case SPECPI_COMPILER_FORM_PROP:
  case SPECPI_COMPILER_FORM_JSON: {
    char *text;
    size_t size;
    result = request->form == SPECPI_COMPILER_FORM_PROP
                 ? write_properties(request->output, &text, &size)
                 : output_json(request->output, &text, &size);
    if (result == SPECPI_COMPILER_SUCCESS) {
      result = keep_bytes(request, text, size);
      free(text);
    }
    break;
  }
  case SPECPI_COMPILER_FORM_COUNT:
    break;
  }
  return result;
}

specpi_compiler_result specpiCompilerOutputGetData(specpi_compiler_output output,
                                                   specpi_compiler_form form, const void **data,
                                                   size_t *size) {
  COMPILER_REQUIRE(output != NULL && data != NULL && size != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   output == NULL ? "output"
                   : data == NULL ? "data"
                                  : "size");
  COMPILER_REQUIRE(specpiCompilerFormGetName(form) != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                   "there is no form %d", (int)form);
  if (output->forms[form].bytes == NULL) {
    request request = {.output = output, .form = form};
    COMPILER_TRY(context_run(output->compiler, write_form, &request));
  }
  *data = output->forms[form].bytes;
  *size = output->forms[form].size;
  return SPECPI_COMPILER_SUCCESS;
}

size_t specpiCompilerOutputGetConstantCount(specpi_compiler_output output) {
  return output != NULL ? output->constants.count : 0;
}

const specpi_compiler_constant *specpiCompilerOutputGetConstant(specpi_compiler_output output,
                                                                size_t index) {
  return output != NULL && index < output->constants.count ? &output->constants.items[index] : NULL;
}

const void *specpiCompilerOutputGetDefaults(specpi_compiler_output output, size_t *size) {
  if (size != NULL)
    *size = output != NULL ? output->default_size : 0;
  return output != NULL ? output->defaults : NULL;
}

size_t specpiCompilerOutputGetKernelCount(specpi_compiler_output output) {
  return output != NULL ? output->kernels.count : 0;
}

const specpi_compiler_kernel *specpiCompilerOutputGetKernel(specpi_compiler_output output,
                                                            size_t index) {
  return output != NULL && index < output->kernels.count ? &output->kernels.items[index] : NULL;
}

size_t specpiCompilerOutputGetWarningCount(specpi_compiler_output output) {
  return output != NULL ? output->warnings.count : 0;
}

const char *specpiCompilerOutputGetWarning(specpi_compiler_output output, size_t index) {
  return output != NULL && index < output->warnings.count ? output->warnings.items[index] : NULL;
}

bool output_has(const output_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

specpi_compiler_result output_add(output_names *names, char *name) {
  if (name == NULL || !VECTOR_RESERVE(names)) {
    free(name);
    return compiler_error_memory();
  }
  names->items[names->count++] = name;
  return SPECPI_COMPILER_SUCCESS;
}

static void free_texts(char **texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

void specpiCompilerOutputRelease(specpi_compiler_output output) {
  if (output == NULL)
    return;
  for (size_t i = 0; i < output->constants.count; i++) {
    free((char *)output->constants.items[i].name);
    free((specpi_compiler_descriptor *)output->constants.items[i].descriptors);
  }
  free(output->constants.items);
  free(output->defaults);
  for (size_t i = 0; i < output->kernels.count; i++)
    free((char *)output->kernels.items[i].name);
  free(output->kernels.items);
  for (size_t i = 0; i < output->masks.count; i++)
    free(output->masks.items[i].bits);
  free(output->masks.items);
  free(output->aspects.items);
  free(output->unit_id);
  free(output->required_users.items);
  free_texts(output->required.items, output->required.count);
  free_texts(output->exported.items, output->exported.count);
  free_texts(output->imported.items, output->imported.count);
  free_texts(output->calls.items, output->calls.count);
  free_texts(output->imported_constants.items, output->imported_constants.count);
  free_texts(output->objects.items, output->objects.count);
  free_texts(output->warnings.items, output->warnings.count);
  free_texts(output->codes.items, output->codes.count);
  for (size_t i = 0; i < SPECPI_COMPILER_FORM_COUNT; i++)
    free(output->forms[i].bytes);
  if (!output->compiler->broken && output->llvm != NULL)
    LLVMDisposeModule(output->llvm);
  if (!output->compiler->broken && output->context != NULL)
    LLVMContextDispose(output->context);
  free(output);
}
