/* Functions of the cases about devices that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_DEVICE_H
#define SPECPI_TEST_PLUGINS_DEVICE_H

#include "world.h"

/* Expect an answer of exactly that size, of a device or of w.device. */
void ask_of(pi_device device, pi_device_info query, size_t size, void *value);
void ask(pi_device_info query, size_t size, void *value);
pi_uint32 ask4(pi_device_info query);
pi_uint64 ask8(pi_device_info query);
void ask_text(pi_device_info query, char *text, size_t size);

/* Returns whether a list separated by blanks has a word. */
bool has_word(const char *list, const char *word);

#endif
