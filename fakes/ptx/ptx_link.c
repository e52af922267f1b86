/* Links modules into a program: symbols, the layout of shared memory, addresses. */
#include "ptx_code.h"
#include "ptx_exec.h"
#include "ptx_symbols.h"

#include <stdlib.h>
#include <string.h>

typedef struct linker {
  ptx_program *program;
  ptx_log *log;
  ptx_status status;
  ptx_global **names; /* hash table of symbols that are not local */
  size_t room;
  uint32_t mark;
} linker;

static bool fail_link(linker *linker, ptx_status status) {
  linker->status = status;
  return false;
}

static bool fail_memory(linker *linker) {
  ptx_say(linker->log, "no memory to link");
  return fail_link(linker, PTX_OUT_OF_MEMORY);
}

static size_t hash_of(const char *name) {
  size_t hash = 2166136261u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash ^ hash >> 15;
}

/* Returns the hash table's entry for a name, which is NULL if the name is missing. */
static ptx_global **place_of(const linker *linker, const char *name) {
  size_t at = hash_of(name) % linker->room;
  while (linker->names[at] && strcmp(linker->names[at]->name, name) != 0)
    at = (at + 1) % linker->room;
  return &linker->names[at];
}

static bool is_defined(const ptx_global *global) {
  if (global->dynamic)
    return true; /* each launch defines dynamic shared memory */
  return global->function ? global->function->defined || global->function->builtin
                          : global->linkage != PTX_LINKAGE_EXTERN;
}

static bool publish(linker *linker, ptx_global *global) {
  if (global->linkage == PTX_LINKAGE_LOCAL || global->dynamic || !is_defined(global) ||
      (global->function && global->function->builtin))
    return true;
  ptx_global **place = place_of(linker, global->name);
  if (!*place || ((*place)->linkage == PTX_LINKAGE_WEAK && global->linkage != PTX_LINKAGE_WEAK)) {
    *place = global;
    return true;
  }
  if (global->linkage == PTX_LINKAGE_WEAK || global->linkage == PTX_LINKAGE_COMMON)
    return true;
  ptx_say(linker->log, "the symbol '%s' is defined by two modules", global->name);
  return fail_link(linker, PTX_UNRESOLVED);
}

static bool same_shape(const ptx_global *use, const ptx_global *definition) {
  if ((use->function == NULL) != (definition->function == NULL))
    return false;
  if (!use->function)
    return use->space == definition->space && use->handle == definition->handle;
  const ptx_formals *a = &use->function->parameters, *b = &definition->function->parameters;
  if (a->count != b->count || use->function->results.count != definition->function->results.count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i].size != b->items[i].size)
      return false;
  for (size_t i = 0; i < use->function->results.count; i++)
    if (use->function->results.items[i].size != definition->function->results.items[i].size)
      return false;
  return true;
}

static bool resolve_global(linker *linker, ptx_global *global) {
  global->definition = global;
  if (global->dynamic || (global->function && global->function->builtin) ||
      (is_defined(global) && global->linkage == PTX_LINKAGE_LOCAL))
    return true;
  ptx_global *definition = *place_of(linker, global->name);
  if (!definition) {
    if (global->function && !global->address_taken && global->linkage != PTX_LINKAGE_EXTERN) {
      ptx_say(linker->log, "the function '%s' is declared in line %u, and not defined",
              global->name, (unsigned)global->line);
      return fail_link(linker, PTX_UNRESOLVED);
    }
    ptx_say(linker->log, "unresolved external symbol '%s', which line %u declares", global->name,
            (unsigned)global->line);
    return fail_link(linker, PTX_UNRESOLVED);
  }
  if (!same_shape(global, definition)) {
    ptx_say(linker->log, "the declaration of '%s' in line %u differs from its definition",
            global->name, (unsigned)global->line);
    return fail_link(linker, PTX_INVALID_PTX);
  }
  global->definition = definition;
  definition->address_taken |= global->address_taken;
  return true;
}

static size_t round_up(size_t value, size_t align) {
  return align ? (value + align - 1) / align * align : value;
}

/* Calls visit for each function and shared variable that an entry may use, also indirectly. */
static void reach(linker *linker, ptx_function *function, ptx_function **stack,
                  void (*visit)(ptx_global *, void *), void *user) {
  size_t count = 0;
  bool indirect = false;
  linker->mark++;
  stack[count++] = function;
  function->mark = linker->mark;
  while (count) {
    ptx_function *now = stack[--count];
    for (size_t i = 0; i < now->reference_count; i++) {
      ptx_global *global = now->references[i]->definition;
      visit(global, user);
      if (global->function && global->function->mark != linker->mark) {
        global->function->mark = linker->mark;
        stack[count++] = global->function;
      }
    }
    if (!now->calls_indirectly || indirect)
      continue;
    indirect = true;
    for (size_t i = 0; i < linker->program->function_count; i++) {
      ptx_function *other = linker->program->functions[i];
      if (other->global->address_taken && other->mark != linker->mark) {
        other->mark = linker->mark;
        stack[count++] = other;
      }
    }
  }
}

static void find_end(ptx_global *global, void *user) {
  uint32_t *end = user;
  if (!global->function && !global->dynamic && global->index)
    *end =
        global->address + global->size > *end ? (uint32_t)(global->address + global->size) : *end;
}

typedef struct placing {
  uint32_t end;
  bool beyond;
} placing;

static void place_shared(ptx_global *global, void *user) {
  placing *at = user;
  if (global->function || global->dynamic || global->index)
    return;
  const uint64_t offset = round_up(at->end, global->align);
  if (offset + global->size > PTX_SHARED_STATIC_LIMIT) {
    at->beyond = true;
    return;
  }
  global->address = offset;
  global->index = 1; /* marks it as placed */
  at->end = (uint32_t)(offset + global->size);
}

/*
 * Assigns offsets in shared memory. A variable has one offset for all entries that use it, after
 * the variables that its first entry already has. Entries without common variables do not make each
 * other's shared memory larger.
 */
static bool lay_out_shared(linker *linker) {
  ptx_program *program = linker->program;
  ptx_function **stack = malloc((program->function_count + 1) * sizeof(ptx_function *));
  if (!stack)
    return fail_memory(linker);
  uint32_t most = 0;
  bool done = true;
  for (size_t i = 0; i < program->function_count && done; i++) {
    ptx_function *function = program->functions[i];
    if (!function->is_entry || !function->defined)
      continue;
    placing at = {0};
    reach(linker, function, stack, find_end, &at.end);
    reach(linker, function, stack, place_shared, &at);
    if (at.beyond) {
      ptx_say(linker->log, "the entry '%s' uses more than %d bytes of shared variables",
              function->entry.name, PTX_SHARED_STATIC_LIMIT);
      done = fail_link(linker, PTX_INVALID_PTX);
    }
    function->entry.shared_bytes = at.end;
    most = at.end > most ? at.end : most;
  }
  program->dynamic_offset = (uint32_t)round_up(most, 128);
  free(stack);
  return done;
}

/* Allocates the program's arrays, and collects the functions and the symbols' names. */
static bool collect_names(linker *linker) {
  ptx_program *program = linker->program;
  size_t functions = 0, globals = 0;
  for (size_t i = 0; i < program->module_count; i++) {
    functions += program->modules[i]->function_count;
    globals += program->modules[i]->global_count;
  }
  program->functions = calloc(functions + 1, sizeof(ptx_function *));
  program->entries = calloc(functions + 1, sizeof(ptx_entry));
  program->variables = calloc(globals + 1, sizeof(ptx_variable));
  program->variable_globals = calloc(globals + 1, sizeof(ptx_global *));
  linker->room = 2 * globals + 16;
  linker->names = calloc(linker->room, sizeof(ptx_global *));
  if (!program->functions || !program->entries || !program->variables ||
      !program->variable_globals || !linker->names)
    return fail_memory(linker);
  for (size_t i = 0; i < program->module_count; i++) {
    const ptx_module *module = program->modules[i];
    for (size_t j = 0; j < module->function_count; j++) {
      module->functions[j]->global->index = (uint32_t)program->function_count;
      program->functions[program->function_count++] = module->functions[j];
    }
    for (size_t j = 0; j < module->global_count; j++) {
      if (!module->globals[j]->function)
        module->globals[j]->index = 0; /* an earlier link that failed may have placed it */
      if (!publish(linker, module->globals[j]))
        return false;
    }
  }
  return true;
}

static void add_variable(ptx_program *program, ptx_global *global) {
  ptx_variable *variable = &program->variables[program->variable_count];
  const bool handle = global->handle >= 0;
  program->variable_globals[program->variable_count++] = global;
  variable->name = global->name;
  variable->kind = handle                             ? (ptx_variable_kind)global->handle
                   : global->space == PTX_SPACE_CONST ? PTX_VARIABLE_CONSTANT
                                                      : PTX_VARIABLE_GLOBAL;
  variable->local = global->linkage == PTX_LINKAGE_LOCAL;
  variable->managed = global->managed;
  variable->size = global->size;
  variable->align = global->align;
}

static void add_entry(ptx_program *program, ptx_function *function, ptx_parameter *parameters) {
  ptx_entry *entry = &function->entry;
  entry->function = function;
  entry->local_bytes = function->frame_bytes;
  entry->register_count = function->slots < 255 ? function->slots : 255;
  entry->parameter_count = (uint32_t)function->parameters.count;
  entry->parameters = parameters;
  for (size_t i = 0; i < function->parameters.count; i++) {
    const ptx_formal *formal = &function->parameters.items[i];
    parameters[i] = (ptx_parameter){formal->name, formal->offset, formal->size, formal->align};
  }
  for (size_t i = 0; i < function->module->global_count; i++)
    if (function->module->globals[i]->space == PTX_SPACE_CONST)
      entry->constant_bytes += (uint32_t)function->module->globals[i]->size;
  program->entries[program->entry_count++] = *entry;
}

static bool describe_kernels(linker *linker) {
  ptx_program *program = linker->program;
  for (size_t i = 0; i < program->module_count; i++) {
    const ptx_module *module = program->modules[i];
    for (size_t j = 0; j < module->global_count; j++) {
      ptx_global *global = module->globals[j];
      if (!global->function && global->definition == global && global->space != PTX_SPACE_SHARED)
        add_variable(program, global);
    }
  }
  for (size_t i = 0; i < program->function_count; i++) {
    ptx_function *function = program->functions[i];
    if (!function->is_entry || !function->defined ||
        function->global->definition != function->global)
      continue;
    ptx_parameter *parameters = ptx_arena_take(
        function->module->arena, (function->parameters.count + 1) * sizeof(ptx_parameter));
    if (!parameters)
      return fail_memory(linker);
    add_entry(program, function, parameters);
  }
  return true;
}

static bool link_all(linker *linker) {
  ptx_program *program = linker->program;
  if (!collect_names(linker))
    return false;
  for (size_t i = 0; i < program->module_count; i++) {
    const ptx_module *module = program->modules[i];
    for (size_t j = 0; j < module->global_count; j++)
      if (!resolve_global(linker, module->globals[j]))
        return false;
  }
  return lay_out_shared(linker) && describe_kernels(linker);
}

static void free_program(ptx_program *program) {
  free(program->functions);
  free(program->entries);
  free(program->variables);
  free(program->variable_globals);
  free(program->modules);
  free(program);
}

ptx_status ptx_link(ptx_module *const *modules, size_t count, ptx_program **ret, ptx_log *log) {
  ptx_say(log, "%s", "");
  linker linker = {.log = log, .program = calloc(1, sizeof(ptx_program))};
  if (!linker.program)
    return PTX_OUT_OF_MEMORY;
  linker.program->modules = calloc(count + 1, sizeof(ptx_module *));
  bool done = linker.program->modules != NULL;
  if (done) {
    if (count)
      memcpy(linker.program->modules, modules, count * sizeof(ptx_module *));
    linker.program->module_count = count;
    done = link_all(&linker);
  } else
    fail_memory(&linker);
  free(linker.names);
  if (!done) {
    free_program(linker.program);
    return linker.status;
  }
  *ret = linker.program;
  return PTX_OK;
}

void ptx_program_free(ptx_program *program) {
  if (!program)
    return;
  for (size_t i = 0; i < program->module_count; i++)
    ptx_module_free(program->modules[i]);
  free_program(program);
}

const ptx_entry *ptx_entries(const ptx_program *program, size_t *count) {
  *count = program->entry_count;
  return program->entries;
}

const ptx_variable *ptx_variables(const ptx_program *program, size_t *count) {
  *count = program->variable_count;
  return program->variables;
}

const ptx_entry *ptx_find_entry(const ptx_program *program, const char *name) {
  for (size_t i = 0; i < program->entry_count; i++)
    if (strcmp(program->entries[i].name, name) == 0)
      return &program->entries[i];
  return NULL;
}

const ptx_variable *ptx_find_variable(const ptx_program *program, const char *name) {
  for (size_t i = 0; i < program->variable_count; i++)
    if (!program->variables[i].local && strcmp(program->variables[i].name, name) == 0)
      return &program->variables[i];
  return NULL;
}

static uint64_t address_of(const ptx_program *program, const ptx_global *symbol) {
  const ptx_global *global = symbol->definition;
  if (global->function)
    return PTX_WINDOW_CODE + 16 * (uint64_t)(global->index + 1);
  return global->dynamic ? program->dynamic_offset : global->address;
}

static void write_variable(const ptx_program *program, const ptx_global *global) {
  unsigned char *bytes = global->host;
  if (global->byte_count)
    memcpy(bytes, global->bytes, global->byte_count);
  if (global->size > global->byte_count)
    memset(bytes + global->byte_count, 0, global->size - global->byte_count);
  for (size_t i = 0; i < global->fixup_count; i++) {
    const ptx_fixup *fixup = &global->fixups[i];
    const uint64_t address =
        (address_of(program, fixup->symbol) + (uint64_t)fixup->addend) >> fixup->shift;
    memcpy(bytes + fixup->offset, &address, fixup->size);
  }
}

void ptx_initialise(ptx_program *program, const ptx_place *places) {
  for (size_t i = 0; i < program->variable_count; i++) {
    program->variable_globals[i]->address = places[i].address;
    program->variable_globals[i]->host = places[i].host;
  }
  for (size_t i = 0; i < program->variable_count; i++)
    if (program->variable_globals[i]->handle < 0 && program->variables[i].size)
      write_variable(program, program->variable_globals[i]);
  for (size_t i = 0; i < program->module_count; i++) {
    ptx_module *module = program->modules[i];
    for (size_t j = 0; j < module->reloc_count; j++) {
      const ptx_reloc *reloc = &module->relocs[j];
      module->constants[reloc->constant] =
          address_of(program, reloc->symbol) + (uint64_t)reloc->addend;
    }
  }
}
