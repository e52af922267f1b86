#define ADDEND 300
