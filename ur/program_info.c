/* UR's queries of programs, and lookups of their functions and variables by name. */
#include "../plugins/objects/program_symbol.h"

#include "checks.h"
#include "reply_object.h"
#include "sinks.h"
#include "table.h"

/* X(query): queries whose answers have the same bytes in PI. */
#define PROGRAM_QUERIES(X)                                                                         \
  X(REFERENCE_COUNT)                                                                               \
  X(CONTEXT)                                                                                       \
  X(NUM_DEVICES)                                                                                   \
  X(DEVICES)                                                                                       \
  X(BINARY_SIZES)                                                                                  \
  X(BINARIES)                                                                                      \
  X(NUM_KERNELS)                                                                                   \
  X(KERNEL_NAMES)

static pi_result ask_program(const object_query *query, const info_answer *answer) {
  return program_answer(query->object, (pi_program_info)query->number, answer);
}

/* Answers with the SPIR-V that the program was made from; empty for other programs. */
static ur_result_t reply_il(const info_answer *reply, pi_program program) {
  const spirv_code *code = program->code.spirv;
  /* In 2025.0 this number stands for the query of a program's source. */
  UR_REQUIRE(table_release() != UR_RELEASE_2025_0, UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
             PROGRAM_WITHOUT_SOURCE);
  return code ? reply_bytes(reply, code->bytes, code->size) : reply_bytes(reply, NULL, 0);
}

ur_result_t urProgramGetInfo(ur_program_handle_t hProgram, ur_program_info_t propName,
                             size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_PROGRAM(hProgram);
  UR_PASS(reply_check(&reply));
  object_query query = {.ask = ask_program, .object = program_of(hProgram)};
  switch ((int)propName) {
#define PROGRAM_QUERY(name)                                                                        \
  case UR_PROGRAM_INFO_##name:                                                                     \
    query.number = PI_PROGRAM_INFO_##name;                                                         \
    return reply_object(&reply, &query);
    PROGRAM_QUERIES(PROGRAM_QUERY)
#undef PROGRAM_QUERY
  case UR_PROGRAM_INFO_IL:
    return reply_il(&reply, program_of(hProgram));
  }
  return reply_unknown("ur_program_info_t", propName);
}

/* ---- Builds ---- */

static pi_result ask_build(const object_query *query, const info_answer *answer) {
  return program_answer_build(query->object, query->device, (pi_program_build_info)query->number,
                              answer);
}

/* X(name): enumerators that have another number in UR than in PI. */
#define BUILD_STATUSES(X)                                                                          \
  X(NONE)                                                                                          \
  X(ERROR)                                                                                         \
  X(SUCCESS)                                                                                       \
  X(IN_PROGRESS)
#define BINARY_TYPES(X)                                                                            \
  X(NONE)                                                                                          \
  X(COMPILED_OBJECT)                                                                               \
  X(LIBRARY)                                                                                       \
  X(EXECUTABLE)

static uint32_t status_of(uint32_t status) {
  switch ((pi_program_build_status)status) {
#define BUILD_STATUS(name)                                                                         \
  case PI_PROGRAM_BUILD_STATUS_##name:                                                             \
    return UR_PROGRAM_BUILD_STATUS_##name;
    BUILD_STATUSES(BUILD_STATUS)
#undef BUILD_STATUS
  }
  return UR_PROGRAM_BUILD_STATUS_NONE;
}

static uint32_t type_of(uint32_t type) {
  switch ((pi_program_binary_type)type) {
#define BINARY_TYPE(name)                                                                          \
  case PI_PROGRAM_BINARY_TYPE_##name:                                                              \
    return UR_PROGRAM_BINARY_TYPE_##name;
    BINARY_TYPES(BINARY_TYPE)
#undef BINARY_TYPE
  }
  return UR_PROGRAM_BINARY_TYPE_NONE;
}

static ur_result_t reply_number(const info_answer *reply, const object_query *query,
                                uint32_t (*convert)(uint32_t)) {
  uint32_t value;
  UR_PASS(object_uint32(query, &value));
  return reply_uint32(reply, convert(value));
}

ur_result_t urProgramGetBuildInfo(ur_program_handle_t hProgram, ur_device_handle_t hDevice,
                                  ur_program_build_info_t propName, size_t propSize,
                                  void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_DEVICE_OF(program_of(hProgram)->context, hDevice);
  UR_PASS(reply_check(&reply));
  object_query query = {
      .ask = ask_build, .object = program_of(hProgram), .device = device_of(hDevice)};
  switch ((int)propName) {
  case UR_PROGRAM_BUILD_INFO_STATUS:
    query.number = PI_PROGRAM_BUILD_INFO_STATUS;
    return reply_number(&reply, &query, status_of);
  case UR_PROGRAM_BUILD_INFO_BINARY_TYPE:
    query.number = PI_PROGRAM_BUILD_INFO_BINARY_TYPE;
    return reply_number(&reply, &query, type_of);
  case UR_PROGRAM_BUILD_INFO_OPTIONS:
    query.number = PI_PROGRAM_BUILD_INFO_OPTIONS;
    return reply_object(&reply, &query);
  case UR_PROGRAM_BUILD_INFO_LOG:
    query.number = PI_PROGRAM_BUILD_INFO_LOG;
    return reply_object(&reply, &query);
  }
  return reply_unknown("ur_program_build_info_t", propName);
}

/* ---- Variables and functions ---- */

ur_result_t urProgramGetFunctionPointer(ur_device_handle_t hDevice, ur_program_handle_t hProgram,
                                        const char *pFunctionName, void **ppFunctionPointer) {
  UR_REQUIRE_DEVICE(hDevice);
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(pFunctionName);
  UR_REQUIRE_POINTER(ppFunctionPointer);
  UR_REQUIRE_DEVICE_OF(program_of(hProgram)->context, hDevice);
  pi_uint64 pointer;
  UR_TRY(program_find_function(program_of(hProgram), device_of(hDevice), pFunctionName, &pointer));
  *ppFunctionPointer = (void *)(uintptr_t)pointer;
  return UR_RESULT_SUCCESS;
}

ur_result_t urProgramGetGlobalVariablePointer(ur_device_handle_t hDevice,
                                              ur_program_handle_t hProgram,
                                              const char *pGlobalVariableName,
                                              size_t *pGlobalVariableSizeRet,
                                              void **ppGlobalVariablePointerRet) {
  size_t size = 0;
  void *pointer;
  UR_REQUIRE_DEVICE(hDevice);
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(pGlobalVariableName);
  UR_REQUIRE_POINTER(ppGlobalVariablePointerRet);
  UR_REQUIRE_DEVICE_OF(program_of(hProgram)->context, hDevice);
  UR_TRY(program_find_variable(program_of(hProgram), device_of(hDevice), pGlobalVariableName, &size,
                               &pointer));
  if (pGlobalVariableSizeRet)
    *pGlobalVariableSizeRet = size;
  *ppGlobalVariablePointerRet = pointer;
  return UR_RESULT_SUCCESS;
}

ur_result_t urEnqueueDeviceGlobalVariableWrite(ur_queue_handle_t hQueue,
                                               ur_program_handle_t hProgram, const char *name,
                                               bool blockingWrite, size_t count, size_t offset,
                                               const void *pSrc, uint32_t numEventsInWaitList,
                                               const ur_event_handle_t *phEventWaitList,
                                               ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(name);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  const variable_copy copy = {program_of(hProgram), name, count, offset, .from = pSrc};
  sink sink = SINK_OF_QUEUE(DEVICE_GLOBAL_VARIABLE_WRITE, blockingWrite);
  return face_result(program_copy_variable(&sink, &copy));
}

ur_result_t urEnqueueDeviceGlobalVariableRead(ur_queue_handle_t hQueue,
                                              ur_program_handle_t hProgram, const char *name,
                                              bool blockingRead, size_t count, size_t offset,
                                              void *pDst, uint32_t numEventsInWaitList,
                                              const ur_event_handle_t *phEventWaitList,
                                              ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(name);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_WAIT_LIST();
  const variable_copy copy = {program_of(hProgram), name, count, offset, .to = pDst};
  sink sink = SINK_OF_QUEUE(DEVICE_GLOBAL_VARIABLE_READ, blockingRead);
  return face_result(program_copy_variable(&sink, &copy));
}

/* ---- Host pipes ---- */

#define REFUSE_PIPE(entry)                                                                         \
  ur_result_t entry(ur_queue_handle_t hQueue, ur_program_handle_t hProgram,                        \
                    const char *pipe_symbol, bool blocking, void *memory, size_t size,             \
                    uint32_t numEventsInWaitList, const ur_event_handle_t *phEventWaitList,        \
                    ur_event_handle_t *phEvent) {                                                  \
    (void)blocking, (void)size, (void)phEvent;                                                     \
    UR_REQUIRE_QUEUE(hQueue);                                                                      \
    UR_REQUIRE_PROGRAM(hProgram);                                                                  \
    UR_REQUIRE_POINTER(pipe_symbol);                                                               \
    UR_REQUIRE_POINTER(memory);                                                                    \
    UR_REQUIRE_WAIT_LIST();                                                                        \
    return face_error(UR_RESULT_ERROR_UNSUPPORTED_FEATURE,                                         \
                      "%s has no pipes between kernels and the host: they are for FPGAs",          \
                      driver_name);                                                                \
  }

REFUSE_PIPE(urEnqueueReadHostPipe)
REFUSE_PIPE(urEnqueueWriteHostPipe)
