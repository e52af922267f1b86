/* Output to a terminal, with line breaks and colours. Pipes and files get the plain text. */
#ifndef SPECPI_TOOLS_TERMINAL_H
#define SPECPI_TOOLS_TERMINAL_H

/* The words to colour: doctor's verdicts, the first word of each line, or none. */
enum terminal_colours { TERMINAL_VERDICTS, TERMINAL_HEADS, TERMINAL_PLAIN };

/*
 * Makes stdout break lines between words if the terminal is too narrow. Words that are longer than
 * a line, such as paths, stay whole. Words are coloured unless NO_COLOR is set or TERM is dumb.
 * Does nothing if stdout is no terminal. Call it once, before anything is printed.
 */
void terminal_use(enum terminal_colours colours);

#endif
