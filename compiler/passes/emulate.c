/*
 * Mode emulate: places the constants one after the other in a buffer that the runtime fills, and
 * replaces each use by a load from the buffer.
 */
#include "spec_constants.h"

#include "../target.h"
#include "buffer_argument.h"
#include "memory_effects.h"

static bool records(use_kind kind) {
  return kind == USE_GET;
}

/* Gives a constant one id and one descriptor, because the runtime copies it as a whole. */
static void describe_constant(spec_constant *constant, uint32_t id) {
  constant->first_id = id;
  constant->layout.descriptors.count = 1;
  constant->layout.descriptors.items[0] =
      (specpi_compiler_descriptor){.id = id, .offset = 0, .size = constant->layout.size};
}

static specpi_compiler_result prepare_emulate(pass *p) {
  COMPILER_TRY(memory_effects_allow_reads(p));
  COMPILER_TRY(buffer_argument_thread(p));
  spec_constant *previous = NULL;
  uint32_t id = 0;
  for (size_t i = 0; i < p->constants.count; i++) {
    spec_constant *constant = &p->constants.items[i];
    if (!constant->recorded)
      continue;
    uint64_t position = 0;
    if (previous != NULL) {
      const uint64_t alignment = LLVMABIAlignmentOfType(p->data_layout, constant->type);
      /* Sizes are those of the defaults' bytes: a vector of three has no padding after it. */
      position = (uint64_t)previous->position + previous->layout.size;
      position = (position + alignment - 1) / alignment * alignment;
      constant->gap = (uint32_t)(position - previous->position - previous->layout.size);
    }
    COMPILER_REQUIRE(position + constant->layout.size <= UINT32_MAX, SPECPI_COMPILER_ERROR_LIMIT,
                     "constant '%s': no offsets of 32 bits are left in the buffer", constant->name);
    constant->position = (uint32_t)position;
    describe_constant(constant, id++);
    /* The runtime adds up sizes, so the gap becomes a descriptor of the previous constant. */
    if (previous != NULL && constant->gap > 0) {
      if (!VECTOR_RESERVE(&previous->layout.descriptors))
        return compiler_error_memory();
      previous->layout.descriptors.items[previous->layout.descriptors.count++] =
          (specpi_compiler_descriptor){.id = SPECPI_COMPILER_PADDING,
                                       .offset = previous->layout.size,
                                       .size = constant->gap};
    }
    previous = constant;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Builds a load of a type from an offset in the buffer. */
static LLVMValueRef load_value(pass *p, LLVMTypeRef type, LLVMValueRef buffer, uint32_t offset) {
  LLVMValueRef place = spec_point(p, buffer, offset, type);
  LLVMValueRef value = LLVMBuildLoad2(p->builder, type, place, "");
  LLVMSetAlignment(value, LLVMABIAlignmentOfType(p->data_layout, type));
  return value;
}

static specpi_compiler_result value(pass *p, const spec_use *use, const layout *as,
                                    const image *own, LLVMValueRef *ret) {
  (void)as;
  (void)own;
  const uint32_t position = p->constants.items[use->constant].position;
  LLVMTypeRef type = use->call.type;
  switch (use->call.kind) {
  case USE_LEGACY:
    *ret = LLVMConstNull(type);
    return SPECPI_COMPILER_SUCCESS;
  case USE_ALLOCA:
    /* The translator to SPIR-V handles the call itself. */
    *ret = target_is_spir(p->module) ? NULL : spec_alloca(p, use, use->default_value);
    return SPECPI_COMPILER_SUCCESS;
  case USE_GET:
    break;
  }
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(p->context);
    LLVMValueRef loaded = load_value(p, byte, use->call.buffer, position);
    /* The host sets a byte; any nonzero value is true. */
    *ret = LLVMBuildICmp(p->builder, LLVMIntNE, loaded, LLVMConstNull(byte), "tobool");
    return SPECPI_COMPILER_SUCCESS;
  }
  *ret = load_value(p, type, use->call.buffer, position);
  return SPECPI_COMPILER_SUCCESS;
}

const spec_mode spec_mode_emulate = {
    .records = records, .prepare = prepare_emulate, .value = value};
