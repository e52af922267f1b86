/* Texts that stay as long as the process does, for callers who may outlive a text's owner. */
#ifndef BASE_TEXT_KEEP_H
#define BASE_TEXT_KEEP_H

/*
 * A copy of text, the same one for equal texts. NULL without memory. Any thread. Only for kinds of
 * text that are few, such as the names of a program's kernels.
 */
const char *text_keep(const char *text);

#endif
