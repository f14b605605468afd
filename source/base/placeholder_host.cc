#include <tessera/base/target.h>
#include <vector>
namespace tessera { template <class T> double placeholder(int n){ std::vector<double> v(n, 1.); double s=0; for (double a: v) s+=a; return s;} template double placeholder<TESSERA_ISA>(int); }
