#define NUMBER 3
