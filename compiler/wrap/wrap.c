#include "wrap.h"

#include "../context.h"

#include <pi/pi.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SPECPI_COMPILER_IMAGE_FORMAT_NONE == (int)PI_DEVICE_BINARY_TYPE_NONE &&
                   (int)SPECPI_COMPILER_IMAGE_FORMAT_NATIVE == (int)PI_DEVICE_BINARY_TYPE_NATIVE &&
                   (int)SPECPI_COMPILER_IMAGE_FORMAT_SPIRV == (int)PI_DEVICE_BINARY_TYPE_SPIRV &&
                   (int)SPECPI_COMPILER_IMAGE_FORMAT_BITCODE ==
                       (int)PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE,
               "the numbers are PI's");

#define WRAP_REQUIRE(condition, ...)                                                               \
  COMPILER_REQUIRE(condition, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, __VA_ARGS__)

static bool is_format(specpi_compiler_image_format format) {
  static const specpi_compiler_image_format formats[] = {
#define SPECPI_COMPILER_IMAGE_FORMAT(NAME, value) SPECPI_COMPILER_IMAGE_FORMAT_##NAME,
      SPECPI_COMPILER_IMAGE_FORMATS(SPECPI_COMPILER_IMAGE_FORMAT)
#undef SPECPI_COMPILER_IMAGE_FORMAT
  };
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i] == format)
      return true;
  return false;
}

static bool is_identifier(const char *name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  const size_t length = strlen(name);
  return length > 0 && strspn(name, letters) == length && strchr("0123456789", name[0]) == NULL;
}

static specpi_compiler_result check_image(size_t index, const specpi_compiler_image *image) {
  WRAP_REQUIRE(image->target != NULL && image->target[0] != '\0', "image %zu has no target", index);
  WRAP_REQUIRE(image->data != NULL && image->size > 0, "image %zu has no bytes", index);
  WRAP_REQUIRE(is_format(image->format), "image %zu has the format %d, which does not exist", index,
               (int)image->format);
  COMPILER_REQUIRE(image->size < UINT32_MAX && image->kernel_count < UINT32_MAX,
                   SPECPI_COMPILER_ERROR_LIMIT, "image %zu is too large", index);
  WRAP_REQUIRE(image->kernels != NULL || image->kernel_count == 0,
               "image %zu has no list of kernels", index);
  for (size_t i = 0; i < image->kernel_count; i++)
    WRAP_REQUIRE(image->kernels[i] != NULL && image->kernels[i][0] != '\0',
                 "image %zu has a kernel without a name", index);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result check_images(size_t count, const specpi_compiler_image *images,
                                           const specpi_compiler_wrap_options *options) {
  COMPILER_REQUIRE(count <= UINT16_MAX, SPECPI_COMPILER_ERROR_LIMIT,
                   "there are %zu images, and only 65535 can be registered together", count);
  WRAP_REQUIRE(options->registers || options->symbol != NULL,
               "the object would neither register the images nor have a symbol for them");
  if (options->symbol != NULL)
    WRAP_REQUIRE(is_identifier(options->symbol), "the symbol '%s' is no identifier",
                 options->symbol);
  for (size_t i = 0; i < count; i++)
    COMPILER_TRY(check_image(i, &images[i]));
  return SPECPI_COMPILER_SUCCESS;
}

typedef struct wrapping {
  specpi_compiler compiler;
  size_t count;
  const specpi_compiler_image *images;
  const specpi_compiler_wrap_options *options;
  void *bytes;
  size_t size;
} wrapping;

static specpi_compiler_result fill_module(wrapping *wrapping, LLVMTargetMachineRef host,
                                          LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(host);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  char *triple = LLVMGetTargetMachineTriple(host);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  const bool registers = wrapping->options->registers && wrapping->count > 0;
  wrapped_images wrapped = {NULL, NULL};
  COMPILER_TRY(wrap_data(module, wrapping->count, wrapping->images, registers, &wrapped));
  LLVMValueRef binaries = wrapped.version_2;
  if (registers)
    wrap_registration(module, &wrapped);
  if (wrapping->options->symbol != NULL) {
    LLVMSetValueName2(binaries, wrapping->options->symbol, strlen(wrapping->options->symbol));
    size_t length;
    COMPILER_REQUIRE(strcmp(LLVMGetValueName2(binaries, &length), wrapping->options->symbol) == 0,
                     SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                     "the symbol '%s' is the name of a function that the object calls",
                     wrapping->options->symbol);
    LLVMSetLinkage(binaries, LLVMExternalLinkage);
    LLVMSetUnnamedAddress(binaries, LLVMNoUnnamedAddr);
  }
  return wrap_object(host, module, &wrapping->bytes, &wrapping->size);
}

/* Uses a separate context, because the compiler's may have another kind of pointers. */
static specpi_compiler_result wrap_images(void *data) {
  wrapping *wrapping = data;
  LLVMTargetMachineRef host = NULL;
  COMPILER_TRY(wrap_host(&host));
  LLVMContextRef context = context_new_llvm(wrapping->compiler);
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("specpi", context);
  const specpi_compiler_result result = fill_module(wrapping, host, module);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(host);
  return result;
}

specpi_compiler_result specpiCompilerWrap(specpi_compiler compiler, size_t image_count,
                                          const specpi_compiler_image *images,
                                          const specpi_compiler_wrap_options *options, void **ret,
                                          size_t *size) {
  WRAP_REQUIRE(compiler != NULL && images != NULL && options != NULL && ret != NULL && size != NULL,
               "%s is NULL",
               compiler == NULL  ? "compiler"
               : images == NULL  ? "images"
               : options == NULL ? "options"
               : ret == NULL     ? "ret"
                                 : "size");
  COMPILER_TRY(check_images(image_count, images, options));
  wrapping wrapping = {
      .compiler = compiler, .count = image_count, .images = images, .options = options};
  COMPILER_TRY(context_run(compiler, wrap_images, &wrapping));
  *ret = wrapping.bytes;
  *size = wrapping.size;
  return SPECPI_COMPILER_SUCCESS;
}
