/*
 * Host variables that know their ids: which variable of the program is which object of a device
 * image. Generated code registers them, before main and before the other constructors of its unit:
 * docs/internals/host.md says who generates it. The source is the proposal "Mapping host variables
 * to compiler-generated info", its section "Common runtime part".
 *
 *   extern int calls;
 *   __register_uniquely_identifiable_object(&calls, "calls", "counter");
 *   ...
 *   const char *id = specpiIdentifiableGetId(&calls, "counter"); // "calls"
 *
 * Every function may be called from any thread at any time, from constructors that run before main
 * too, in whichever order libraries are loaded: there is nothing that has to be made before.
 */
#ifndef SPECPI_IDENTIFIABLE_H
#define SPECPI_IDENTIFIABLE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Registers the variable at address under the id. kind is the value of its type's attribute, for
 * instance "specialization_id"; any text is accepted. The texts are copied.
 *
 * Repeated calls with the same three values are counted; as many calls of the next function are
 * needed to undo them. An id that is registered at another address, or an address that has another
 * id, is an error: its message is specpiGetLastError's in this thread, and goes to
 * SPECPI_TRACE=errors. Both objects are then kept and marked as contradicted. A NULL, an empty id
 * or exhausted memory is an error without further effect.
 */
void __register_uniquely_identifiable_object(void *address, const char *id, const char *kind);

/*
 * Takes a registration back, before the variable goes with its library. What is not registered, or
 * NULL, does nothing. Variables of a library that is unloaded without this call are not found any
 * more either, because every function below looks at which libraries are loaded.
 */
void __unregister_uniquely_identifiable_object(void *address, const char *id, const char *kind);

/* A registered variable. The texts are valid until the process ends. */
typedef struct specpi_identifiable {
  void *address;
  const char *id;
  const char *kind;
  size_t registrations; /* at least 1 */
  bool contradicted;    /* its id is also another address's, or its address has another id too */
} specpi_identifiable;

/*
 * The id of the variable at an address, or the address of the variable with an id; NULL when there
 * is none. Of several it is the one that was registered first. kind NULL is any kind. The text
 * is valid until the process ends.
 */
const char *specpiIdentifiableGetId(const void *address, const char *kind);
void *specpiIdentifiableGetAddress(const char *id, const char *kind);

/*
 * Fills list with the first variables of a kind, or of any when it is NULL, at most capacity, in
 * the order of their registration. Returns how many there are in all. list may be NULL when
 * capacity is 0.
 */
size_t specpiIdentifiablesGet(const char *kind, size_t capacity, specpi_identifiable *list);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
