/* The linker of the fake CUDA driver, which puts several texts into one "cubin". */
#include "module.h"

#include <stdlib.h>

struct fake_link {
  fake_object head;
  fake_code *code;
  fake_jit jit;
  void *cubin; /* NULL until it is complete */
  size_t size;
};

void fake_link_end(fake_link *link) {
  fake_code_release(link->code);
  free(link->cubin);
  fake_delete(link);
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *ret) {
  FAKE_ENTER(cuLinkCreate, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuLinkCreate: the place for the state is NULL");
  fake_jit jit;
  FAKE_TRY(fake_jit_read(count, options, values, "cuLinkCreate", &jit));
  fake_link *link = fake_new(FAKE_LINK, sizeof *link, fake_current(), false);
  link->code = fake_code_new();
  link->jit = jit;
  if (jit.target != 0)
    link->code->architecture = jit.target;
  *ret = FAKE_HANDLE(CUlinkState, link);
  return CUDA_SUCCESS;
}

static CUresult add_input(fake_link *link, CUjitInputType type, const void *data, size_t size,
                          unsigned count, CUjit_option *options, void **values) {
  FAKE_REQUIRE(!link->cubin, INVALID_VALUE, "cuLinkAddData: the link is complete");
  FAKE_REQUIRE(data && size != 0, INVALID_VALUE, "cuLinkAddData: no data");
  fake_jit own;
  FAKE_TRY(fake_jit_read(count, options, values, "cuLinkAddData", &own));
  link->jit.registers = own.registers ? own.registers : link->jit.registers;
  switch (type) {
  case CU_JIT_INPUT_PTX:
    return fake_code_add(link->code, data, size, true, &link->jit);
  case CU_JIT_INPUT_CUBIN:
  case CU_JIT_INPUT_FATBINARY:
  case CU_JIT_INPUT_OBJECT:
    return fake_image_read(data, size, true, link->code, &link->jit);
  case CU_JIT_INPUT_LIBRARY:
  case CU_JIT_INPUT_NVVM:
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuLinkAddData: no libraries, no LTO IR");
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuLinkAddData: no type of input is %d",
                       (int)type);
  }
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int count, CUjit_option *options, void **values) {
  FAKE_ENTER(cuLinkAddData, CONTEXT);
  (void)name;
  FAKE_FIND(fake_link, link, handle, LINK);
  FAKE_TRY(fake_check_owner(&link->head, "cuLinkAddData"));
  const CUresult result = add_input(link, type, data, size, count, options, values);
  fake_jit_finish(&link->jit);
  return result;
}

CUresult cuLinkComplete(CUlinkState handle, void **cubin, size_t *size) {
  FAKE_ENTER(cuLinkComplete, CONTEXT);
  FAKE_REQUIRE(cubin, INVALID_VALUE, "cuLinkComplete: the place for the cubin is NULL");
  FAKE_FIND(fake_link, link, handle, LINK);
  FAKE_TRY(fake_check_owner(&link->head, "cuLinkComplete"));
  FAKE_REQUIRE(!link->cubin && link->code->count != 0, INVALID_VALUE,
               "cuLinkComplete: nothing was added, or the link is complete");
  const CUresult result = fake_code_link(link->code, &link->jit);
  fake_jit_finish(&link->jit);
  if (result != CUDA_SUCCESS)
    return result;
  link->cubin = fake_cubin_write(link->code, &link->size);
  *cubin = link->cubin;
  if (size)
    *size = link->size;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState handle) {
  FAKE_ENTER(cuLinkDestroy, INIT);
  FAKE_FIND(fake_link, link, handle, LINK);
  fake_link_end(link);
  return CUDA_SUCCESS;
}
