/* Writes a case as LLVM assembly, with constructs that OpenCL C cannot express. */
#include "case.h"
#include "memory.h"

#include <string.h>

typedef struct writer {
  const test_case *of;
  FILE *to;       /* the target of the next line */
  FILE *module;   /* the finished functions */
  text variables; /* variables of the current function, which precede its statements */
  text statements;
  uint32_t next; /* number of the next local value */
} writer;

enum { PRIVATE = 0, GLOBAL = 1, GENERIC = 4 };

/* Returns the type of a pointer. */
static const char *pointer(const writer *w, const char *to, unsigned space) {
  const char *in = space ? memory_format(" addrspace(%u)", space) : "";
  return w->of->typed ? memory_format("%s%s*", to, in) : memory_format("ptr%s", in);
}

static const char *fresh(writer *w) {
  return memory_format("%%v%u", w->next++);
}

/* Casts a pointer to another pointee type, where pointers have types. */
static const char *cast(writer *w, const char *value, const char *from, const char *to,
                        unsigned space) {
  if (!w->of->typed)
    return value;
  const char *made = fresh(w);
  fprintf(w->to, "  %s = bitcast %s %s to %s\n", made, pointer(w, from, space), value,
          pointer(w, to, space));
  return made;
}

/* Casts a pointer to the generic address space. */
static const char *generic(writer *w, const char *value, const char *of, unsigned space) {
  const char *made = fresh(w);
  fprintf(w->to, "  %s = addrspacecast %s %s to %s\n", made, pointer(w, of, space), value,
          pointer(w, of, GENERIC));
  return made;
}

/* Adds an offset to the pointer bytes, and casts it to another pointee type. */
static const char *advance(writer *w, const char *bytes, uint32_t offset, const char *to,
                           unsigned space) {
  const char *made = fresh(w);
  fprintf(w->to, "  %s = getelementptr i8, %s %s, i64 %u\n", made, pointer(w, "i8", space), bytes,
          offset);
  return cast(w, made, "i8", to, space);
}

static const char *variable(writer *w, const type *of) {
  const char *made = fresh(w);
  fprintf(w->variables.file, "  %s = alloca %s, align %u\n", made, type_ir(of), of->alignment);
  return made;
}

/* ---- Writing a value to the output ---- */

static void write_scalar(writer *w, scalar of, const char *value, const char *out,
                         uint32_t offset) {
  const char *integer = scalars[of].integer;
  if (of == SCALAR_BOOL) {
    const char *byte = fresh(w);
    fprintf(w->to, "  %s = zext i1 %s to i8\n", byte, value);
    value = byte;
  } else if (of >= SCALAR_HALF) {
    const char *bits = fresh(w);
    fprintf(w->to, "  %s = bitcast %s %s to %s\n", bits, scalars[of].ir, value, integer);
    value = bits;
  }
  const char *place = advance(w, out, offset, integer, GLOBAL);
  fprintf(w->to, "  store %s %s, %s %s, align 1\n", integer, value, pointer(w, integer, GLOBAL),
          place);
}

static void write_parts(writer *w, const type *of, const char *value, const char *out,
                        uint32_t at) {
  if (of->kind == TYPE_SCALAR) {
    write_scalar(w, of->scalar, value, out, at);
    return;
  }
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    const char *made = fresh(w);
    if (of->kind == TYPE_VECTOR)
      fprintf(w->to, "  %s = extractelement %s %s, i32 %u\n", made, type_ir(of), value, i);
    else
      fprintf(w->to, "  %s = extractvalue %s %s, %u\n", made, type_ir(of), value, i);
    write_parts(w, part, made, out, at + offset);
  }
}

static void write_memory(writer *w, const type *of, const char *place, const char *out) {
  leaf_list leaves;
  type_leaves(of, &leaves);
  const char *bytes = cast(w, place, type_ir(of), "i8", PRIVATE);
  for (uint32_t i = 0; i < leaves.count; i++) {
    const scalar kind = leaves.items[i].scalar;
    const char *from = advance(w, bytes, leaves.items[i].offset, scalars[kind].ir, PRIVATE);
    const char *value = fresh(w);
    fprintf(w->to, "  %s = load %s, %s %s, align 1\n", value, scalars[kind].ir,
            pointer(w, scalars[kind].ir, PRIVATE), from);
    write_scalar(w, kind, value, out, leaves.items[i].offset);
  }
}

static const char *load(writer *w, const type *of, const char *place) {
  const char *made = fresh(w);
  fprintf(w->to, "  %s = load %s, %s %s, align %u\n", made, type_ir(of),
          pointer(w, type_ir(of), PRIVATE), place, of->alignment);
  return made;
}

static void save(writer *w, const type *of, const char *value, const char *place) {
  fprintf(w->to, "  store %s %s, %s %s, align %u\n", type_ir(of), value,
          pointer(w, type_ir(of), PRIVATE), place, of->alignment);
}

/* Writes value to the output, or the variable place if value is NULL. */
static void write_out(writer *w, const use *use, const char *value, const char *place,
                      const char *out) {
  const type *of = w->of->constants[use->constant].type;
  if (use->store == STORE_MEMORY) {
    if (value != NULL) {
      place = variable(w, of);
      save(w, of, value, place);
    }
    write_memory(w, of, place, out);
    return;
  }
  if (value == NULL)
    value = load(w, of, place);
  if (use->store == STORE_LEAVES) {
    write_parts(w, of, value, out, 0);
    return;
  }
  const char *whole = cast(w, out, "i8", type_ir(of), GLOBAL);
  fprintf(w->to, "  store %s %s, %s %s, align 1\n", type_ir(of), value,
          pointer(w, type_ir(of), GLOBAL), whole);
}

/* ---- The call that reads a constant ---- */

static const char *getter(const writer *w, const use *use) {
  const constant *c = &w->of->constants[use->constant];
  const bool aggregate = c->type->kind != TYPE_SCALAR;
  const char *kind = c->legacy   ? aggregate ? "36__sycl_getComposite" : "33__sycl_getScalar"
                     : aggregate ? "40__sycl_getComposite2020"
                                 : "37__sycl_getScalar2020";
  return memory_format("@_Z%sSpecConstantValueIC%u%sET_PKc", kind, use->constant,
                       use->by_pointer ? "r" : "");
}

static void declare_getter(const writer *w, const use *use) {
  const constant *c = &w->of->constants[use->constant];
  const char *type = type_ir(c->type);
  const char *any = pointer(w, "i8", GENERIC);
  const char *rest = c->legacy ? "" : memory_format(", %s, %s", any, any);
  if (use->by_pointer)
    fprintf(w->to, "declare void %s(%s sret(%s), %s%s)\n", getter(w, use),
            pointer(w, type, GENERIC), type, any, rest);
  else
    fprintf(w->to, "declare %s %s(%s%s)\n", type, getter(w, use), any, rest);
}

/* Returns a constant generic pointer to a global variable. */
static const char *address(const writer *w, const char *name, const char *type) {
  if (!w->of->typed)
    return memory_format("addrspacecast (ptr addrspace(1) %s to ptr addrspace(4))", name);
  return memory_format("addrspacecast (i8 addrspace(1)* bitcast (%s addrspace(1)* %s to i8 "
                       "addrspace(1)*) to i8 addrspace(4)*)",
                       type, name);
}

/* Stores a pointer to a stack slot and loads it again, as in unoptimised code. */
static const char *through_slot(writer *w, const char *value) {
  const char *any = pointer(w, "i8", GENERIC);
  const char *slot = fresh(w);
  fprintf(w->variables.file, "  %s = alloca %s, align 8\n", slot, any);
  slot = generic(w, slot, any, PRIVATE);
  fprintf(w->to, "  store %s %s, %s %s, align 8\n", any, value, pointer(w, any, GENERIC), slot);
  const char *made = fresh(w);
  fprintf(w->to, "  %s = load %s, %s %s, align 8\n", made, any, pointer(w, any, GENERIC), slot);
  return made;
}

static const char *default_global(const use *use) {
  return memory_format("@d%u.%u", use->constant, use->default_index);
}

/*
 * Writes the call that reads a constant. Returns the value, or NULL if the value is in *place,
 * which is a variable of the caller or, if NULL, a new one.
 */
static const char *get(writer *w, const use *use, const char *buffer, const char **place) {
  const constant *c = &w->of->constants[use->constant];
  const char *any = pointer(w, "i8", GENERIC);
  const char *name = address(w, memory_format("@n%u", use->constant),
                             memory_format("[%zu x i8]", strlen(c->name) + 1));
  if (use->name_in_slot)
    name = through_slot(w, name);
  const char *rest = "";
  if (!c->legacy) {
    const char *value =
        address(w, default_global(use), memory_format("%%id%s", default_global(use) + 1));
    if (use->default_in_slot)
      value = through_slot(w, value);
    rest = memory_format(", %s %s, %s %s", any, value, any, buffer);
  }
  if (!use->by_pointer) {
    const char *made = fresh(w);
    fprintf(w->to, "  %s = call %s %s(%s %s%s)\n", made, type_ir(c->type), getter(w, use), any,
            name, rest);
    return made;
  }
  if (*place == NULL)
    *place = variable(w, c->type);
  const char *result = generic(w, *place, type_ir(c->type), PRIVATE);
  fprintf(w->to, "  call void %s(%s sret(%s) %s, %s %s%s)\n", getter(w, use),
          pointer(w, type_ir(c->type), GENERIC), type_ir(c->type), result, any, name, rest);
  return NULL;
}

/* Allocates as many elements as the value says, stores it to the last one, and loads it again. */
static const char *through_elements(writer *w, const use *use, const char *value,
                                    const char *buffer) {
  const constant *c = &w->of->constants[use->constant];
  const char *type = type_ir(c->type);
  const char *any = pointer(w, "i8", GENERIC);
  const char *name = address(w, memory_format("@n%u", use->constant),
                             memory_format("[%zu x i8]", strlen(c->name) + 1));
  const char *object =
      address(w, default_global(use), memory_format("%%id%s", default_global(use) + 1));
  const char *memory = fresh(w);
  fprintf(w->to, "  %s = call %s @llvm.sycl.alloca.c%u(%s %s, %s %s, %s %s, %s 0, i64 16)\n",
          memory, pointer(w, type, PRIVATE), use->constant, any, name, any, object, any, buffer,
          type);
  const char *last = fresh(w);
  fprintf(w->to, "  %s = sub %s %s, 1\n", last, type, value);
  const char *place = fresh(w);
  fprintf(w->to, "  %s = getelementptr %s, %s %s, %s %s\n", place, type, pointer(w, type, PRIVATE),
          memory, type, last);
  fprintf(w->to, "  store %s 99, %s %s, align 1\n", type, pointer(w, type, PRIVATE), memory);
  fprintf(w->to, "  store %s %s, %s %s, align 1\n", type, value, pointer(w, type, PRIVATE), place);
  const char *made = fresh(w);
  fprintf(w->to, "  %s = load volatile %s, %s %s, align 1\n", made, type, pointer(w, type, PRIVATE),
          place);
  return made;
}

/* ---- Functions ---- */

/* Begin and end the body of a function, after its head. end_body writes the closing brace. */
static void begin_body(writer *w) {
  text_open(&w->variables);
  text_open(&w->statements);
  w->to = w->statements.file;
}

static void end_body(writer *w) {
  w->to = w->module;
  fputs(text_close(&w->variables), w->to);
  fputs(text_close(&w->statements), w->to);
  fprintf(w->to, "}\n");
}

/* Returns the name of a use's function (level 0), or of the caller that many levels above it. */
static const char *function_name(uint32_t index, uint32_t level) {
  return level == 0 ? memory_format("@f%u", index) : memory_format("@f%u.%u", index, level);
}

/* Returns the parameters of a use's functions; each passes the same text as arguments. */
static const char *parameters(const writer *w, const use *use) {
  const char *of = type_ir(w->of->constants[use->constant].type);
  switch (use->place) {
  case PLACE_HELPER:
    return memory_format("%s %%to", pointer(w, "i8", GLOBAL));
  case PLACE_POINTER:
    return memory_format("%s sret(%s) %%to", pointer(w, of, PRIVATE), of);
  case PLACE_PARAMETER:
    return memory_format("%s %%given, %s %%to", of, pointer(w, "i8", GLOBAL));
  default:
    return "";
  }
}

/* Writes the first line of a use's function. */
static void write_head(const writer *w, uint32_t index, uint32_t level) {
  const use *use = &w->of->uses[index];
  const char *returned =
      use->place == PLACE_RETURN ? type_ir(w->of->constants[use->constant].type) : "void";
  fprintf(w->to, "define internal spir_func %s %s(%s) noinline {\n", returned,
          function_name(index, level), parameters(w, use));
}

/* Writes functions that only call the next one; the last one calls the use's function. */
static void write_levels(const writer *w, uint32_t index) {
  const use *use = &w->of->uses[index];
  const char *of = type_ir(w->of->constants[use->constant].type);
  for (uint32_t level = 1; level <= use->levels; level++) {
    const char *next = function_name(index, level - 1);
    write_head(w, index, level);
    if (use->place == PLACE_RETURN)
      fprintf(w->to, "  %%v = call spir_func %s %s()\n  ret %s %%v\n}\n", of, next, of);
    else
      fprintf(w->to, "  call spir_func void %s(%s)\n  ret void\n}\n", next, parameters(w, use));
  }
}

/* Writes the body of a use's function. */
static void write_body(writer *w, const use *use) {
  const type *of = w->of->constants[use->constant].type;
  if (use->place == PLACE_PARAMETER) {
    write_out(w, use, "%given", NULL, "%to");
    fprintf(w->to, "  ret void\n");
    return;
  }
  const char *place = use->place == PLACE_POINTER ? "%to" : NULL;
  const char *value = get(w, use, "null", &place);
  if (use->place == PLACE_RETURN) {
    if (value == NULL)
      value = load(w, of, place);
    fprintf(w->to, "  ret %s %s\n", type_ir(of), value);
    return;
  }
  if (use->place == PLACE_HELPER)
    write_out(w, use, value, place, "%to");
  else if (value != NULL)
    save(w, of, value, place);
  fprintf(w->to, "  ret void\n");
}

static void write_function(writer *w, uint32_t index) {
  const use *use = &w->of->uses[index];
  if (use->place == PLACE_KERNEL)
    return;
  write_head(w, index, 0);
  begin_body(w);
  write_body(w, use);
  end_body(w);
  write_levels(w, index);
}

static void write_region(writer *w, const region *at) {
  const use *use = &w->of->uses[at->use];
  const type *of = w->of->constants[use->constant].type;
  const char *out = advance(w, "%out", at->offset, "i8", GLOBAL);
  const char *place = NULL;
  const char *value = NULL;
  const char *buffer = "null";
  const char *name = function_name(at->use, use->levels);
  if (place_is_kernel(use->place)) {
    if (use->pass_buffer && w->of->kernels[at->kernel].has_buffer)
      buffer = generic(w, "%_arg__specialization_constants_buffer", "i8", GLOBAL);
    value = get(w, use, buffer, &place);
    if (use->elements)
      value = through_elements(w, use, value, buffer);
  }
  switch (use->place) {
  case PLACE_KERNEL:
    break;
  case PLACE_PARAMETER:
    if (value == NULL)
      value = load(w, of, place);
    fprintf(w->to, "  call spir_func void %s(%s %s, %s %s)\n", name, type_ir(of), value,
            pointer(w, "i8", GLOBAL), out);
    return;
  case PLACE_HELPER:
    fprintf(w->to, "  call spir_func void %s(%s %s)\n", name, pointer(w, "i8", GLOBAL), out);
    return;
  case PLACE_RETURN:
    value = fresh(w);
    fprintf(w->to, "  %s = call spir_func %s %s()\n", value, type_ir(of), name);
    break;
  default:
    place = variable(w, of);
    fprintf(w->to, "  call spir_func void %s(%s sret(%s) %s)\n", name,
            pointer(w, type_ir(of), PRIVATE), type_ir(of), place);
    break;
  }
  write_out(w, use, value, place, out);
}

static void write_kernel(writer *w, uint32_t index) {
  const kernel_facts *facts = &w->of->kernels[index];
  const char *any = pointer(w, "i8", GLOBAL);
  fprintf(w->to, "define spir_kernel void @kernel%u(", index);
  if (facts->has_buffer && facts->buffer_first)
    fprintf(w->to, "%s %%_arg__specialization_constants_buffer, ", any);
  fprintf(w->to, "%s %%out", any);
  if (facts->has_number)
    fprintf(w->to, ", i32 %%number");
  if (facts->has_buffer && !facts->buffer_first)
    fprintf(w->to, ", %s %%_arg__specialization_constants_buffer", any);
  fprintf(w->to, ") {\n");
  begin_body(w);
  for (uint32_t i = 0; i < w->of->region_count; i++)
    if (w->of->regions[i].kernel == index)
      write_region(w, &w->of->regions[i]);
  fprintf(w->to, "  ret void\n");
  end_body(w);
}

static void write_globals(writer *w) {
  for (uint32_t i = 0; i < w->of->constant_count; i++) {
    const constant *c = &w->of->constants[i];
    fprintf(w->to, "@n%u = private unnamed_addr addrspace(1) constant [%zu x i8] c\"%s\\00\"\n", i,
            strlen(c->name) + 1, c->name);
    for (uint32_t j = 0; j < c->default_count && !c->legacy; j++) {
      fprintf(w->to, "%%idd%u.%u = type { %s }\n", i, j, c->defaults[j].type);
      fprintf(w->to, "@d%u.%u = internal addrspace(1) constant %%idd%u.%u { %s %s }\n", i, j, i, j,
              c->defaults[j].type, c->defaults[j].text);
    }
    if (c->elements) {
      const char *any = pointer(w, "i8", GENERIC);
      fprintf(w->to, "declare %s @llvm.sycl.alloca.c%u(%s, %s, %s, %s, i64)\n",
              pointer(w, type_ir(c->type), PRIVATE), i, any, any, any, type_ir(c->type));
    }
    bool declared[2] = {false, false};
    for (uint32_t j = 0; j < w->of->use_count; j++) {
      const use *use = &w->of->uses[j];
      if (use->constant == i && !declared[use->by_pointer]) {
        declare_getter(w, use);
        declared[use->by_pointer] = true;
      }
    }
  }
}

const char *case_write_ir(const test_case *of) {
  text text;
  text_open(&text);
  writer w = {.of = of, .to = text.file, .module = text.file};
  fprintf(w.to, "target triple = \"spir64-unknown-unknown\"\n");
  type_define_ir(w.to, &of->structs);
  write_globals(&w);
  for (uint32_t i = 0; i < of->use_count; i++)
    write_function(&w, i);
  for (uint32_t i = 0; i < of->kernel_count; i++)
    write_kernel(&w, i);
  return text_close(&text);
}
