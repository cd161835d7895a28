/* What the bindings to librpma are made from. */
#include <librpma.h>
