/*
 * Property sets as DPC++ has them in device images and in .prop files.
 */
#ifndef COMPILER_PROPERTIES_H
#define COMPILER_PROPERTIES_H

#include "../error.h"
#include "../vector.h"

/* A set that is being built: its name and properties are its own. */
typedef struct property_set {
  char *name;
  VECTOR(specpi_compiler_property) properties;
} property_set;

struct specpi_compiler_properties_object {
  VECTOR(property_set) sets;
};

/* Makes an object without sets, or NULL when memory is exhausted. */
specpi_compiler_properties properties_new(void);

/* Adds an empty set after the others. The name is copied. OUT_OF_MEMORY. */
specpi_compiler_result properties_add_set(specpi_compiler_properties to, const char *name,
                                          size_t length);

/* Add a property to the last set, of which there is one. Names and bytes are copied. OUT_OF_MEMORY.
 */
specpi_compiler_result properties_add_number(specpi_compiler_properties to, const char *name,
                                             size_t length, uint32_t number);
/* The bytes are the whole value, with the length in bits before the rest. */
specpi_compiler_result properties_add_bytes(specpi_compiler_properties to, const char *name,
                                            size_t length, const void *bytes, size_t size);

/* Makes a value of size bytes, and adds it. OUT_OF_MEMORY. */
specpi_compiler_result properties_add_payload(specpi_compiler_properties to, const char *name,
                                              const void *payload, size_t size);
/* The same for a number of bits that need not be whole bytes. */
specpi_compiler_result properties_add_bits(specpi_compiler_properties to, const char *name,
                                           const void *payload, size_t bits);

/* The same for 32-bit words, which are little endian there. */
specpi_compiler_result properties_add_words(specpi_compiler_properties to, const char *name,
                                            const uint32_t *words, size_t count);

/*
 * Adds the two sets of constants, if there are any: the records of each, and the defaults of all,
 * one after the other. OUT_OF_MEMORY.
 */
specpi_compiler_result properties_add_constants(specpi_compiler_properties to,
                                                const specpi_compiler_constant *constants,
                                                size_t count, const void *defaults, size_t size);

/* Returns whether the bytes are a value: a length in bits, and as many bytes as that needs. */
bool properties_is_value(const unsigned char *bytes, size_t size);

/* A text that grows; the owner frees items. */
typedef VECTOR(char) property_text;

/* Appends bytes. OUT_OF_MEMORY. */
specpi_compiler_result property_text_add(property_text *to, const char *bytes, size_t size);

/* The two forms. INVALID_NAME: a name cannot be written in the form. OUT_OF_MEMORY. */
specpi_compiler_result properties_write_text(specpi_compiler_properties from, property_text *to);
specpi_compiler_result properties_write_json(specpi_compiler_properties from, property_text *to);
specpi_compiler_result properties_read_text(const char *text, size_t size,
                                            specpi_compiler_properties to);
specpi_compiler_result properties_read_json(const char *text, size_t size,
                                            specpi_compiler_properties to);

#endif
