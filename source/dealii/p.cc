#include <tessera/base/target.h>
#include <vector>
