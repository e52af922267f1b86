/* Keeps texts until the process ends, for callers that may use a text after its owner is freed. */
#ifndef BASE_TEXT_KEEP_H
#define BASE_TEXT_KEEP_H

/*
 * Returns a copy of text; equal texts have the same copy. NULL if memory runs out. Because copies
 * are never freed, use it only for a small number of different texts, such as names of kernels. Any
 * thread.
 */
const char *text_keep(const char *text);

#endif
