/* The host code of an object file: registration of the data, and code generation. */
#include "wrap.h"

#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sections that run first and last, because other constructors and destructors may use kernels.
 * Named here, because LLVM puts llvm.global_ctors into .ctors, which some linkers do not know.
 */
#define CONSTRUCTORS ".init_array.00001"
#define DESTRUCTORS ".fini_array.00001"

static void initialize(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

specpi_compiler_result wrap_host(LLVMTargetMachineRef *ret) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  char *triple = LLVMGetDefaultTargetTriple();
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM generates no code for the host, '%s': %s",
                   triple, message);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return SPECPI_COMPILER_ERROR_INTERNAL;
  }
  *ret = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
  LLVMDisposeMessage(triple);
  COMPILER_REQUIRE(*ret != NULL, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM cannot make code generation for the host");
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Registration ---- */

/*
 * State of building these functions. References to the C library's functions are weak, because a
 * statically linked program has no dlopen, and no libsycl either.
 *
 *   static const void *registered;
 *
 *   static const void *choose(void) {
 *     if (dlopen && dlsym && dlclose && dladdr && strstr && dprintf) {
 *       void *library = dlopen("libsycl.so.9", RTLD_LAZY | RTLD_NOLOAD);
 *       if (library) {
 *         void *found = dlsym(library, "__sycl_register_lib");
 *         dlclose(library);
 *         if (found == __sycl_register_lib)
 *           return version_3;
 *       }
 *       Dl_info info;
 *       if (dladdr(__sycl_register_lib, &info) && strstr(info.dli_fname, "libsycl.so.1")) {
 *         dprintf(2, message, info.dli_fname);
 *         return NULL;
 *       }
 *     }
 *     return version_2;
 *   }
 *
 *   static void register_images(void) {
 *     if ((registered = choose()))
 *       __sycl_register_lib(registered);
 *   }
 */
typedef struct registration {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef nothing, pointer, number;
  LLVMValueRef registered; /* the variable */
} registration;

/* libsycl.so.10 would be the first release whose form of device images is unknown. */
#define KNOWN_NEW "libsycl.so.9"
#define UNKNOWN_NEWER "libsycl.so.1"
#define SENTENCE                                                                                   \
  "specpi: %s is newer than what compiled this program's kernels, and is not given them: "         \
  "compile them with a newer specpi-cc\n"
enum { RTLD_LAZY_AND_NOLOAD = 1 | 4 };

typedef struct library_function {
  LLVMTypeRef type;
  LLVMValueRef address;
} library_function;

static library_function function_of(const registration *registration, const char *name,
                                    LLVMTypeRef result, LLVMTypeRef *parameters, unsigned count,
                                    bool is_variadic) {
  LLVMTypeRef type = LLVMFunctionType(result, parameters, count, is_variadic);
  LLVMValueRef address = LLVMGetNamedFunction(registration->module, name);
  return (library_function){type,
                            address ? address : LLVMAddFunction(registration->module, name, type)};
}

/* Declares a weak function of one parameter, or of two if second is not NULL. */
static library_function weak_function(const registration *registration, const char *name,
                                      LLVMTypeRef result, LLVMTypeRef first, LLVMTypeRef second,
                                      bool is_variadic) {
  LLVMTypeRef parameters[] = {first, second};
  const library_function made =
      function_of(registration, name, result, parameters, second ? 2 : 1, is_variadic);
  LLVMSetLinkage(made.address, LLVMExternalWeakLinkage);
  return made;
}

static LLVMValueRef call_two(const registration *registration, const library_function *function,
                             LLVMValueRef first, LLVMValueRef second) {
  LLVMValueRef arguments[] = {first, second};
  return LLVMBuildCall2(registration->builder, function->type, function->address, arguments, 2, "");
}

static LLVMValueRef text_of(const registration *registration, const char *text) {
  return LLVMBuildGlobalStringPtr(registration->builder, text, "");
}

static LLVMValueRef is_there(const registration *registration, LLVMValueRef value) {
  return LLVMBuildIsNotNull(registration->builder, value, "");
}

static LLVMBasicBlockRef new_block(const registration *registration, LLVMValueRef function) {
  return LLVMAppendBasicBlockInContext(registration->context, function, "");
}

/* Branches to a new block if the condition holds, or else to otherwise; continues in the new one.
 */
static void go_on_if(const registration *registration, LLVMValueRef function,
                     LLVMValueRef condition, LLVMBasicBlockRef otherwise) {
  LLVMBasicBlockRef next = new_block(registration, function);
  LLVMBuildCondBr(registration->builder, condition, next, otherwise);
  LLVMPositionBuilderAtEnd(registration->builder, next);
}

static library_function register_function(const registration *registration, const char *name) {
  LLVMTypeRef parameter = registration->pointer;
  return function_of(registration, name, registration->nothing, &parameter, 1, false);
}

static LLVMValueRef new_function(const registration *registration, const char *name,
                                 LLVMTypeRef result) {
  LLVMValueRef function =
      LLVMAddFunction(registration->module, name, LLVMFunctionType(result, NULL, 0, false));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(registration->builder, new_block(registration, function));
  return function;
}

/* Adds the function choose: it returns the images in the form that the library with
 * __sycl_register_lib accepts, or NULL if the library accepts none. */
static LLVMValueRef add_choice(const registration *registration, const wrapped_images *images) {
  const LLVMTypeRef p = registration->pointer, n = registration->number;
  const LLVMValueRef target = register_function(registration, "__sycl_register_lib").address;
  LLVMValueRef function = new_function(registration, "specpi.choose", p);
  const library_function open = weak_function(registration, "dlopen", p, p, n, false);
  const library_function find = weak_function(registration, "dlsym", p, p, p, false);
  const library_function close = weak_function(registration, "dlclose", n, p, NULL, false);
  const library_function whose = weak_function(registration, "dladdr", n, p, p, false);
  const library_function search = weak_function(registration, "strstr", p, p, p, false);
  const library_function say = weak_function(registration, "dprintf", n, n, p, true);
  LLVMBasicBlockRef old = new_block(registration, function),
                    ask = new_block(registration, function);
  const library_function *const all[] = {&open, &find, &close, &whose, &search, &say};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    go_on_if(registration, function, is_there(registration, all[i]->address), old);
  LLVMValueRef library = call_two(registration, &open, text_of(registration, KNOWN_NEW),
                                  LLVMConstInt(n, RTLD_LAZY_AND_NOLOAD, false));
  go_on_if(registration, function, is_there(registration, library), ask);
  LLVMValueRef found =
      call_two(registration, &find, library, text_of(registration, "__sycl_register_lib"));
  LLVMBuildCall2(registration->builder, close.type, close.address, &library, 1, "");
  go_on_if(registration, function,
           LLVMBuildICmp(registration->builder, LLVMIntEQ, found, target, ""), ask);
  LLVMBuildRet(registration->builder, images->version_3);
  LLVMPositionBuilderAtEnd(registration->builder, ask);
  LLVMValueRef info =
      LLVMBuildAlloca(registration->builder, LLVMArrayType(p, 4), ""); /* a Dl_info */
  go_on_if(registration, function,
           LLVMBuildICmp(registration->builder, LLVMIntNE,
                         call_two(registration, &whose, target, info), LLVMConstInt(n, 0, false),
                         ""),
           old);
  LLVMValueRef file = LLVMBuildLoad2(registration->builder, p, info, "");
  go_on_if(registration, function,
           is_there(registration,
                    call_two(registration, &search, file, text_of(registration, UNKNOWN_NEWER))),
           old);
  LLVMValueRef arguments[] = {LLVMConstInt(n, 2, false), text_of(registration, SENTENCE), file};
  LLVMBuildCall2(registration->builder, say.type, say.address, arguments, 3, "");
  LLVMBuildRet(registration->builder, LLVMConstNull(p));
  LLVMPositionBuilderAtEnd(registration->builder, old);
  LLVMBuildRet(registration->builder, images->version_2);
  return function;
}

/* Adds a function that passes the chosen images to the function callee_name. If choice is not NULL,
 * it first calls choice to choose them. */
static LLVMValueRef add_caller(const registration *registration, const char *name,
                               const char *callee_name, LLVMValueRef choice) {
  const library_function callee = register_function(registration, callee_name);
  LLVMValueRef function = new_function(registration, name, registration->nothing);
  if (choice) {
    LLVMTypeRef type = LLVMFunctionType(registration->pointer, NULL, 0, false);
    LLVMBuildStore(registration->builder,
                   LLVMBuildCall2(registration->builder, type, choice, NULL, 0, ""),
                   registration->registered);
  }
  LLVMBasicBlockRef end = new_block(registration, function);
  LLVMValueRef chosen =
      LLVMBuildLoad2(registration->builder, registration->pointer, registration->registered, "");
  go_on_if(registration, function, is_there(registration, chosen), end);
  LLVMBuildCall2(registration->builder, callee.type, callee.address, &chosen, 1, "");
  LLVMBuildBr(registration->builder, end);
  LLVMPositionBuilderAtEnd(registration->builder, end);
  LLVMBuildRetVoid(registration->builder);
  return function;
}

/* Adds a pointer to a function to a section. */
static void add_pointer(LLVMModuleRef module, const char *section, LLVMValueRef function) {
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(function), "");
  LLVMSetInitializer(global, function);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetSection(global, section);
}

void wrap_registration(LLVMModuleRef module, const wrapped_images *images) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  registration registration = {.module = module,
                               .context = context,
                               .builder = LLVMCreateBuilderInContext(context),
                               .nothing = LLVMVoidTypeInContext(context),
                               .pointer = pointer,
                               .number = LLVMInt32TypeInContext(context),
                               .registered = LLVMAddGlobal(module, pointer, "")};
  LLVMSetInitializer(registration.registered, LLVMConstNull(pointer));
  LLVMSetLinkage(registration.registered, LLVMPrivateLinkage);
  LLVMValueRef choice = add_choice(&registration, images);
  add_pointer(module, CONSTRUCTORS,
              add_caller(&registration, "specpi.register", "__sycl_register_lib", choice));
  add_pointer(module, DESTRUCTORS,
              add_caller(&registration, "specpi.unregister", "__sycl_unregister_lib", NULL));
  LLVMDisposeBuilder(registration.builder);
}

specpi_compiler_result wrap_object(LLVMTargetMachineRef host, LLVMModuleRef module, void **ret,
                                   size_t *size) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(host, module, LLVMObjectFile, &message, &buffer)) {
    compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM cannot make the object file: %s", message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_INTERNAL;
  }
  const size_t length = LLVMGetBufferSize(buffer);
  void *copy = malloc(length);
  if (copy != NULL) {
    memcpy(copy, LLVMGetBufferStart(buffer), length);
    *ret = copy;
    *size = length;
  }
  LLVMDisposeMemoryBuffer(buffer);
  return copy != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}
