#include "objects.h"

#include <stdlib.h>
#include <string.h>

/* PTX, which only the CUDA adapter accepts as IL. Other adapters get no program and no kernel. */
static const char code[] = ".version 6.3\n.target sm_50\n.address_size 64\n"
                           ".visible .entry nothing(.param .u64 p)\n{\n  ret;\n}\n";

static void make_kernel(ur_context_handle_t context, ur_program_handle_t *program,
                        ur_kernel_handle_t *kernel) {
  if (UR(urProgramCreateWithIL)(context, code, sizeof code, NULL, program) != UR_RESULT_SUCCESS)
    return;
  assert_ok(UR(urProgramBuild)(context, *program, ""));
  assert_ok(UR(urKernelCreate)(*program, "nothing", kernel));
}

/* Creates the kinds of objects that an adapter may lack; their handles then stay NULL. */
static void make_extras(ur_context_handle_t context, ur_device_handle_t device,
                        void *ret[KIND_COUNT]) {
  const ur_sampler_desc_t sampler = {.stype = UR_STRUCTURE_TYPE_SAMPLER_DESC,
                                     .addressingMode = UR_SAMPLER_ADDRESSING_MODE_NONE,
                                     .filterMode = UR_SAMPLER_FILTER_MODE_NEAREST};
  UR(urSamplerCreate)(context, &sampler, (ur_sampler_handle_t *)&ret[KIND_sampler]);
  const ur_exp_command_buffer_desc_t buffer = {.stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC};
  UR(urCommandBufferCreateExp)
  (context, device, &buffer, (ur_exp_command_buffer_handle_t *)&ret[KIND_command_buffer]);
  ur_usm_pool_desc_t pool = {.stype = UR_STRUCTURE_TYPE_USM_POOL_DESC};
  UR(urUSMPoolCreate)(context, &pool, (ur_usm_pool_handle_t *)&ret[KIND_pool]);
  UR(urPhysicalMemCreate)
  (context, device, 2 << 20, NULL, (ur_physical_mem_handle_t *)&ret[KIND_physical_mem]);
}

void objects_make(void *ret[KIND_COUNT]) {
  memset(ret, 0, KIND_COUNT * sizeof *ret);
  ur_device_handle_t device = world_device(0);
  ur_context_handle_t context = world_context(1);
  ur_queue_handle_t queue = NULL;
  ur_event_handle_t event = NULL;
  ur_mem_handle_t mem = NULL;
  ur_program_handle_t program = NULL;
  ur_kernel_handle_t kernel = NULL;
  assert_ok(UR(urQueueCreate)(context, device, NULL, &queue));
  assert_ok(UR(urEnqueueEventsWait)(queue, 0, NULL, &event));
  assert_ok(UR(urMemBufferCreate)(context, UR_MEM_FLAG_READ_WRITE, 4096, NULL, &mem));
  make_kernel(context, &program, &kernel);
  ret[KIND_adapter] = world_adapter;
  ret[KIND_platform] = world_platform();
  ret[KIND_device] = device;
  ret[KIND_context] = context;
  ret[KIND_queue] = queue;
  ret[KIND_event] = event;
  ret[KIND_mem] = mem;
  ret[KIND_program] = program;
  ret[KIND_kernel] = kernel;
  make_extras(context, device, ret);
}

void objects_retain(void *const objects[KIND_COUNT]) {
  static const char *const entries[KIND_COUNT] = {
#define OBJECT(type, noun, retain) #retain,
      OBJECTS(OBJECT)
#undef OBJECT
  };
  for (int i = 0; i < KIND_COUNT; i++) {
    world_entry_fn *const entry = world_entry(entries[i]);
    ur_result_t (*retain)(void *object);
    memcpy(&retain, &entry, sizeof retain);
    if (entry && objects[i])
      assert_ok(retain(objects[i]));
  }
}

/* Returns a parameter's number of words: 3 for a structure by value, else 1. */
static int words_of(const char *text) {
  static const char *const structures[] = {"ur_rect_offset_t ", "ur_rect_region_t "};
  for (int i = 0; i < 2; i++)
    if (strncmp(text, structures[i], strlen(structures[i])) == 0 &&
        text[strlen(structures[i])] != '*')
      return 3;
  return 1;
}

static int kind_of(const char *text) {
  static const char *const types[KIND_COUNT] = {
#define OBJECT(type, noun, retain) #type " ",
      OBJECTS(OBJECT)
#undef OBJECT
  };
  for (int i = 0; i < KIND_COUNT; i++)
    if (strncmp(text, types[i], strlen(types[i])) == 0 && text[strlen(types[i])] != '*')
      return i;
  return KIND_COUNT;
}

int parameters_read(const char *text, parameter ret[PARAMETERS]) {
  int count = 0;
  while (text && *text) {
    text += strspn(text, "(, ");
    ret[count++] = (parameter){words_of(text), kind_of(text)};
    text = strchr(text, ',');
  }
  return count;
}

/*
 * The calling convention of x86-64 passes the first six words in registers. The other words, and
 * structures of more than two words, follow each other on the stack.
 */
ur_result_t parameters_call(world_entry_fn *entry, const parameter *parameters, int count,
                            const uintptr_t *words) {
  typedef struct stack {
    uintptr_t words[2 * PARAMETERS];
  } stack;
  typedef ur_result_t any_fn(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                             stack);
  uintptr_t registers[6] = {0};
  stack rest = {{0}};
  int in_registers = 0;
  int on_stack = 0;
  for (int i = 0; i < count; words += parameters[i].words, i++)
    if (parameters[i].words == 1 && in_registers < 6)
      registers[in_registers++] = *words;
    else
      for (int k = 0; k < parameters[i].words; k++)
        rest.words[on_stack++] = words[k];
  any_fn *call;
  memcpy(&call, &entry, sizeof call);
  return call(registers[0], registers[1], registers[2], registers[3], registers[4], registers[5],
              rest);
}
