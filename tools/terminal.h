/* What people see at a terminal: lines of its width, and colours. Pipes and files get the text. */
#ifndef SPECPI_TOOLS_TERMINAL_H
#define SPECPI_TOOLS_TERMINAL_H

#include <stdbool.h>

/*
 * From here on stdout breaks its lines between words where the terminal is too narrow for them;
 * what is longer than a line, such as a path, stays whole. With colours, the words of doctor's
 * verdicts have them, unless NO_COLOR is set or TERM is dumb. Does nothing where stdout is no
 * terminal. To be called once, before anything is printed.
 */
void terminal_use(bool colours);

#endif
