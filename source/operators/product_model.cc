#include <tessera/operators/product_model.h>

#include <cmath>
#include <stdexcept>

#include "product_costs.h"

namespace tessera
{
  namespace
  {
    const costs::Kernel &
    costs_of(const Product &product)
    {
      const bool sorted = product.shape.window == SellShape::all_rows;
      switch (product.kernel)
        {
          case ProductKernel::rows_staged:
            return costs::rows_staged;
          case ProductKernel::rows_streamed:
            return costs::rows_streamed;
          case ProductKernel::rows_by_threads:
            return costs::rows_by_threads;
          case ProductKernel::ellpack:
            return costs::ellpack;
          case ProductKernel::slices:
            return sorted ? costs::sorted_slices : costs::slices;
          case ProductKernel::packed_slices:
            return sorted ? costs::sorted_packed_slices : costs::packed_slices;
          case ProductKernel::coo:
            return costs::coo;
          case ProductKernel::csr_merge:
            return costs::csr_merge;
          case ProductKernel::csr_mgpu:
            return costs::csr_mgpu;
        }
      throw std::logic_error("costs_of: a kernel without a case");
    }

    double
    seconds_on_host(const ProductWork &work, const ProductKernel kernel)
    {
      const double byte = in_slices(kernel) ? costs::host_byte_of_slices
                                            : costs::host_byte_of_rows;
      return costs::host_launch + work.padded * byte +
             work.vectors * costs::host_vector_byte +
             work.requests * costs::host_request;
    }
  } // namespace

  double
  predict_seconds(const ProductWork &work, const Product &product,
                  const Backend backend)
  {
    if (backend == Backend::host)
      return seconds_on_host(work, product.kernel);
    const costs::Kernel &k = costs_of(product);
    const double bytes     = work.stored + work.vectors;
    // The share that comes from memory: half of it where the cache is as large.
    const double fourth = std::pow(bytes / costs::cache, 4);
    const double share  = fourth / (1 + fourth);
    const double all =
      bytes * ((1 - share) * costs::cached_byte + share * costs::stored_byte) +
      work.requests * costs::request + work.gathered * costs::gathered_byte +
      work.steps * k.step;
    return k.launch +
           std::cbrt(std::pow(all, 3) + std::pow(work.longest * k.entry, 3));
  }
} // namespace tessera
