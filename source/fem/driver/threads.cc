#include <tessera/fem/driver/threads.h>

#include <deal.II/base/multithread_info.h>

#include <omp.h>

namespace tessera
{
  void
  set_threads(const int n)
  {
    if (n == 0)
      return;
    omp_set_num_threads(n);
    dealii::MultithreadInfo::set_thread_limit(n);
  }
} // namespace tessera
