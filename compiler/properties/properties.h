/*
 * Property sets, in DPC++'s forms for device images and .prop files.
 */
#ifndef COMPILER_PROPERTIES_H
#define COMPILER_PROPERTIES_H

#include "../../plugins/base/vector.h"
#include "../error.h"

/* A set, which owns its name and properties. */
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

/* Add a property to the last set, which must exist. Names and bytes are copied. OUT_OF_MEMORY. */
specpi_compiler_result properties_add_number(specpi_compiler_properties to, const char *name,
                                             size_t length, uint32_t number);
/* The bytes are the whole value, which starts with its length in bits. */
specpi_compiler_result properties_add_bytes(specpi_compiler_properties to, const char *name,
                                            size_t length, const void *bytes, size_t size);

/* Adds a property whose value is a payload of size bytes, and puts its length before it.
 * OUT_OF_MEMORY. */
specpi_compiler_result properties_add_payload(specpi_compiler_properties to, const char *name,
                                              const void *payload, size_t size);
/* Like properties_add_payload, for a number of bits that need not be whole bytes. */
specpi_compiler_result properties_add_bits(specpi_compiler_properties to, const char *name,
                                           const void *payload, size_t bits);

/* Like properties_add_payload, for 32-bit words, which become little endian. */
specpi_compiler_result properties_add_words(specpi_compiler_properties to, const char *name,
                                            const uint32_t *words, size_t count);

/*
 * If there are constants, adds two sets: the record of each constant, and one property with the
 * defaults of all constants. OUT_OF_MEMORY.
 */
specpi_compiler_result properties_add_constants(specpi_compiler_properties to,
                                                const specpi_compiler_constant *constants,
                                                size_t count, const void *defaults, size_t size);

/* Returns whether the bytes are a valid value: a length in bits, and the bytes for that length. */
bool properties_is_value(const unsigned char *bytes, size_t size);

/* A text that grows; the owner frees items. */
typedef VECTOR(char) property_text;

/* Appends bytes. OUT_OF_MEMORY. */
specpi_compiler_result property_text_add(property_text *to, const char *bytes, size_t size);

/* Write and read the two forms. INVALID_NAME: the form cannot have a name. OUT_OF_MEMORY. */
specpi_compiler_result properties_write_text(specpi_compiler_properties from, property_text *to);
specpi_compiler_result properties_write_json(specpi_compiler_properties from, property_text *to);
specpi_compiler_result properties_read_text(const char *text, size_t size,
                                            specpi_compiler_properties to);
specpi_compiler_result properties_read_json(const char *text, size_t size,
                                            specpi_compiler_properties to);

#endif
