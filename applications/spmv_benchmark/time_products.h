#pragma once

#include <tessera/program/timing.h>

namespace tessera::spmv
{
  struct ProductTime
  {
    program::Statistics of_one;
    int in_graph; ///< products per graph; 0: launched one by one
  };

  /// Times `product(stream)`: `n` consecutive ones as one sample, or as many as
  /// suit if n = 0. Then short ones on a device run in graphs,
  /// because the host would launch them hardly faster than they run.
  template <class Product>
  ProductTime
  time_products(const Backend backend, const int n, const Product &product,
                program::MeasureOptions options)
  {
    constexpr double is_short = 2e-5; // seconds
    constexpr int of_graph    = 16;
    const int each            = std::max(n, 1);
    if (n > 0)
      options.sample_seconds = 0;
    const auto work = [&]() {
      for (int i = 0; i < each; ++i)
        product(Stream());
    };
    const program::Statistics one_by_one =
      of_part(program::measure(backend, {}, work, options), each);
    if (n > 0 || backend == Backend::host || one_by_one.median >= is_short)
      return {one_by_one, 0};
    return {program::measure_in_graph(of_graph, product, options), of_graph};
  }
} // namespace tessera::spmv
