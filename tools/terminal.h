/* Output at a terminal: lines of its width, and colours. Pipes and files get the text. */
#ifndef SPECPI_TOOLS_TERMINAL_H
#define SPECPI_TOOLS_TERMINAL_H

/* The coloured words: those of doctor's verdicts, the first word of each line, or none. */
enum terminal_colours { TERMINAL_VERDICTS, TERMINAL_HEADS, TERMINAL_PLAIN };

/*
 * From here on stdout breaks its lines between words where the terminal is too narrow for them;
 * what is longer than a line, such as a path, stays whole. Words have colours unless NO_COLOR is
 * set or TERM is dumb. Does nothing where stdout is no terminal. To be called once, before anything
 * is printed.
 */
void terminal_use(enum terminal_colours colours);

#endif
