/* Writes a case as OpenCL C, so that the compiler gets clang's output. */
#include "case.h"
#include "memory.h"

static const char *getter(const test_case *of, uint32_t index) {
  const constant *c = &of->constants[index];
  const bool aggregate = c->type->kind != TYPE_SCALAR;
  const char *kind = c->legacy   ? aggregate ? "36__sycl_getComposite" : "33__sycl_getScalar"
                     : aggregate ? "40__sycl_getComposite2020"
                                 : "37__sycl_getScalar2020";
  return memory_format("_Z%sSpecConstantValueIC%uET_PKc", kind, index);
}

static void write_constant(FILE *to, const test_case *of, uint32_t index) {
  const constant *c = &of->constants[index];
  fprintf(to, "constant const char n%u[] = \"%s\";\n", index, c->name);
  for (uint32_t j = 0; j < c->default_count && !c->legacy; j++)
    fprintf(to, "constant const struct { %s; } d%u_%u = {%s};\n", type_c(c->type, "value"), index,
            j, c->defaults[j].text);
  const char *rest = c->legacy ? "" : ", constant const void *, global const void *";
  fprintf(to, "%s(constant const char *%s) __asm__(\"%s\");\n",
          type_c(c->type, memory_format("get%u", index)), rest, getter(of, index));
}

static const char *call(const test_case *of, const use *use, const char *buffer) {
  if (of->constants[use->constant].legacy)
    return memory_format("get%u(n%u)", use->constant, use->constant);
  return memory_format("get%u(n%u, &d%u_%u, %s)", use->constant, use->constant, use->constant,
                       use->default_index, buffer);
}

/* Writes the stores of an object's scalars to the output. */
static void write_leaves(FILE *to, const type *of, const char *object, const char *out,
                         uint32_t at) {
  if (of->kind == TYPE_SCALAR) {
    fprintf(to, "  *(global %s *)(%s + %u) = %s;\n",
            of->scalar == SCALAR_BOOL ? "char" : scalars[of->scalar].c, out, at, object);
    return;
  }
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    const char *name = of->kind == TYPE_STRUCT   ? memory_format("%s.m%u", object, i)
                       : of->kind == TYPE_VECTOR ? memory_format("%s.s%x", object, i)
                                                 : memory_format("%s[%u]", object, i);
    write_leaves(to, part, name, out, at + offset);
  }
}

static void write_out(FILE *to, const type *of, const use *use, const char *value,
                      const char *out) {
  if (use->store == STORE_WHOLE) {
    fprintf(to, "  *(global %s)(%s) = %s;\n", type_c(of, "*"), out, value);
    return;
  }
  fprintf(to, "  { %s = %s;\n", type_c(of, "value"), value);
  if (use->store == STORE_LEAVES)
    write_leaves(to, of, "value", out, 0);
  else
    fprintf(to, "  for (int i = 0; i < (int)sizeof value; i++) (%s)[i] = ((char *)&value)[i];\n",
            out);
  fprintf(to, "  }\n");
}

/* Returns the name of a use's function (level 0), or of the caller that many levels above it. */
static const char *function_name(uint32_t index, uint32_t level) {
  return level == 0 ? memory_format("f%u", index) : memory_format("f%u_%u", index, level);
}

/* Writes functions that only call the next one; the last one calls the use's function. */
static void write_levels(FILE *to, const test_case *of, uint32_t index) {
  const use *use = &of->uses[index];
  const type *as = of->constants[use->constant].type;
  for (uint32_t level = 1; level <= use->levels; level++) {
    const char *name = function_name(index, level);
    const char *next = function_name(index, level - 1);
    fprintf(to, "__attribute__((noinline)) static ");
    if (use->place == PLACE_HELPER)
      fprintf(to, "void %s(global char *to) {\n  %s(to);\n}\n", name, next);
    else if (use->place == PLACE_RETURN)
      fprintf(to, "%s {\n  return %s();\n}\n", type_c(as, memory_format("%s(void)", name)), next);
    else if (use->place == PLACE_POINTER)
      fprintf(to, "void %s(%s) {\n  %s(to);\n}\n", name, type_c(as, "*to"), next);
    else
      fprintf(to, "void %s(%s, global char *to) {\n  %s(given, to);\n}\n", name,
              type_c(as, "given"), next);
  }
}

static void write_function(FILE *to, const test_case *of, uint32_t index) {
  const use *use = &of->uses[index];
  const type *as = of->constants[use->constant].type;
  const char *value = call(of, use, "0");
  const char *start = "__attribute__((noinline)) static";
  switch (use->place) {
  case PLACE_HELPER:
    fprintf(to, "%s void f%u(global char *to) {\n", start, index);
    write_out(to, as, use, value, "to");
    fprintf(to, "}\n");
    return;
  case PLACE_RETURN:
    fprintf(to, "%s %s(void) {\n  return %s;\n}\n", start, type_c(as, memory_format("f%u", index)),
            value);
    return;
  case PLACE_POINTER:
    fprintf(to, "%s void f%u(%s) {\n  *to = %s;\n}\n", start, index, type_c(as, "*to"), value);
    return;
  case PLACE_PARAMETER:
    fprintf(to, "%s void f%u(%s, global char *to) {\n", start, index, type_c(as, "given"));
    write_out(to, as, use, "given", "to");
    fprintf(to, "}\n");
    return;
  default:
    return;
  }
}

static void write_region(FILE *to, const test_case *of, const region *at) {
  const use *use = &of->uses[at->use];
  const type *as = of->constants[use->constant].type;
  const char *out = memory_format("out + %u", at->offset);
  const char *name = function_name(at->use, use->levels);
  const char *here =
      call(of, use, use->pass_buffer && of->kernels[at->kernel].has_buffer ? "buffer" : "0");
  switch (use->place) {
  case PLACE_KERNEL:
    write_out(to, as, use, here, out);
    return;
  case PLACE_PARAMETER:
    fprintf(to, "  %s(%s, %s);\n", name, here, out);
    return;
  case PLACE_HELPER:
    fprintf(to, "  %s(%s);\n", name, out);
    return;
  case PLACE_RETURN:
    write_out(to, as, use, memory_format("%s()", name), out);
    return;
  default:
    fprintf(to, "  {\n  %s;\n  %s(&there);\n", type_c(as, "there"), name);
    write_out(to, as, use, "there", out);
    fprintf(to, "  }\n");
  }
}

const char *case_write_c(const test_case *of) {
  text text;
  text_open(&text);
  fprintf(text.file, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                     "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  type_define_c(text.file, &of->structs);
  for (uint32_t i = 0; i < of->constant_count; i++)
    write_constant(text.file, of, i);
  for (uint32_t i = 0; i < of->use_count; i++) {
    write_function(text.file, of, i);
    write_levels(text.file, of, i);
  }
  for (uint32_t k = 0; k < of->kernel_count; k++) {
    const kernel_facts *kernel = &of->kernels[k];
    fprintf(text.file, "kernel void kernel%u(%sglobal char *out%s%s) {\n", k,
            kernel->has_buffer && kernel->buffer_first ? "global char *buffer, " : "",
            kernel->has_number ? ", int number" : "",
            kernel->has_buffer && !kernel->buffer_first ? ", global char *buffer" : "");
    for (uint32_t i = 0; i < of->region_count; i++)
      if (of->regions[i].kernel == k)
        write_region(text.file, of, &of->regions[i]);
    fprintf(text.file, "}\n");
  }
  return text_close(&text);
}
