#define ADDEND 200
