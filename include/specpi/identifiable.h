/*
 * A registry of host variables with ids, which match variables of the program with objects of
 * device images. Generated code registers them, before main and before the other constructors of
 * its unit (docs/internals/host.md). The source is the proposal "Mapping host variables to
 * compiler-generated info", section "Common runtime part".
 *
 *   extern int calls;
 *   __register_uniquely_identifiable_object(&calls, "calls", "counter");
 *   ...
 *   const char *id = specpiIdentifiableGetId(&calls, "counter"); // "calls"
 *
 * Any thread may call these functions at any time, also from constructors that run before main and
 * in any order of loading: nothing has to be initialised first.
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
 * Repeated calls with the same three values are counted; as many calls of the next function undo
 * them. It is an error if the id is registered at another address, or the address with another id:
 * specpiGetLastError returns the message in this thread, and SPECPI_TRACE=errors prints it. Both
 * objects are then kept and marked as contradicted. A NULL, an empty id or exhausted memory is an
 * error without further effect.
 */
void __register_uniquely_identifiable_object(void *address, const char *id, const char *kind);

/*
 * Undoes a registration, before the variable's library is unloaded. Does nothing for NULL and for a
 * variable that is not registered. Variables of a library that is unloaded without this call are
 * not found any more either, because all functions below check which libraries are loaded.
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
