#define ADDEND 40
