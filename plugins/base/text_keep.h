/* Texts that stay as long as the process does, for who may ask for one after its owner has gone. */
#ifndef BASE_TEXT_KEEP_H
#define BASE_TEXT_KEEP_H

/*
 * A copy of text, the same one for each text that is equal. NULL without memory. Any thread. For
 * texts of which there are few, as the names of a program's kernels.
 */
const char *text_keep(const char *text);

#endif
