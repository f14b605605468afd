#include "test.h"

#include <tessera/base/array.h>
#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/ell.h>

#include <algorithm>

using namespace tessera;

namespace
{
  /// Launches kernels for products with a diagonal matrix.
  std::vector<double>
  multiply(const Backend backend, const int n)
  {
    SparsityPattern pattern;
    pattern.row_start = {0};
    for (int row = 0; row < n; ++row)
      {
        pattern.columns.push_back(row);
        pattern.row_start.push_back(row + 1);
      }
    EllMatrix<double> matrix(CsrPattern(pattern, backend));
    matrix.values().copy_from(std::vector<double>(matrix.values().size(), 2.));
    const Ell<double> A(std::move(matrix), 0);
    Vector<double> x = A.make_vector(), y = A.make_vector();
    x.copy_from(std::vector<double>(n, 3.));
    A.vmult(y, x);
    return y.to_vector();
  }
} // namespace

TEST(LaunchLog, HasTheLaunchesOfItsTime)
{
  for (const Backend backend : test::backends())
    {
      const bool device = backend == Backend::cuda;
      const runtime::LaunchLog log;
      EXPECT_FALSE(log.largest());
      multiply(backend, 1000);
      const std::size_t n = log.launches().size();
      EXPECT_EQ(n > 0, device);
      {
        const runtime::LaunchLog inner;
        multiply(backend, 2000);
        EXPECT_EQ(inner.launches().size(), n);
        EXPECT_EQ(log.launches().size(), n);
      }
      multiply(backend, 3000);
      EXPECT_EQ(log.launches().size(), 2 * n);
      if (!device)
        continue;
      const runtime::KernelLaunch largest = *log.largest();
      EXPECT_GE(largest.n_blocks * largest.n_threads, 3000);
      const auto registers = [](const runtime::KernelLaunch &of) {
        return double(of.n_blocks) * of.n_threads *
               std::max(1, runtime::attributes(of).registers);
      };
      for (const runtime::KernelLaunch &launch : log.launches())
        EXPECT_LE(registers(launch), registers(largest));
      const runtime::KernelAttributes said = runtime::attributes(largest);
      if (!runtime::is_shim())
        {
          EXPECT_GE(said.registers, 8);
          EXPECT_GT(said.occupancy, 0.);
          EXPECT_LE(said.occupancy, 1.);
        }
    }
}

TEST(LaunchLog, TheShareOfSharedMemoryIsAskedForAndTakenBack)
{
  for (const int percent : {-1, 101})
    EXPECT_THROW(runtime::prefer_shared_memory(percent), ParameterError);
  for (const Backend backend : test::backends())
    for (const std::optional<int> &percent :
         {std::optional<int>(25), std::optional<int>(100),
          std::optional<int>(0), std::optional<int>()})
      {
        runtime::prefer_shared_memory(percent);
        const runtime::LaunchLog log;
        EXPECT_EQ(multiply(backend, 100), std::vector<double>(100, 6.));
        if (backend == Backend::cuda && !runtime::is_shim())
          for (const runtime::KernelLaunch &launch : log.launches())
            EXPECT_EQ(runtime::attributes(launch).shared_percent,
                      percent.value_or(-1));
      }
}
