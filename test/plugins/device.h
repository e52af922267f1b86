/* What the cases about devices that only one backend has share with the others. */
#ifndef SPECPI_TEST_PLUGINS_DEVICE_H
#define SPECPI_TEST_PLUGINS_DEVICE_H

#include "world.h"

/* Answers of a device, of exactly that size, and of w.device. */
void ask_of(pi_device device, pi_device_info query, size_t size, void *value);
void ask(pi_device_info query, size_t size, void *value);
pi_uint32 ask4(pi_device_info query);
pi_uint64 ask8(pi_device_info query);
void ask_text(pi_device_info query, char *text, size_t size);

/* Whether a word is in a list with blanks. */
bool has_word(const char *list, const char *word);

#endif
