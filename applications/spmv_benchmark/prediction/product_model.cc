#include "product_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lanes_have_many.h"
#include "product_costs.h"

namespace tessera::spmv
{
  namespace
  {
    struct OfKernel
    {
      const costs::Kernel &costs;
      const costs::Blocks &blocks;
    };

    /// Slices use different kernels for few and for many entries per lane.
    OfKernel
    of_kernel(const Product &product, const ProductWork &work)
    {
      using namespace costs;
      const bool sorted = product.shape.window == SellShape::all_rows;
      const bool many =
        lanes_have_many(product.kernel == ProductKernel::short_slices,
                        work.entries, 32 * work.starts, work.number_bytes);
      switch (product.kernel)
        {
          case ProductKernel::rows_staged:
            return {rows_staged, blocks_of_rows_staged};
          case ProductKernel::rows_streamed:
            return {rows_streamed, blocks_of_rows_streamed};
          case ProductKernel::rows_by_threads:
            return {rows_by_threads, blocks_of_rows_by_threads};
          case ProductKernel::ellpack:
            return {ellpack, blocks_of_ellpack};
          case ProductKernel::slices:
            return {sorted ? (many ? sorted_slices_many : sorted_slices_few)
                           : (many ? slices_many : slices_few),
                    many ? blocks_of_slices_many : blocks_of_slices_few};
          case ProductKernel::packed_slices:
            return {sorted ? sorted_packed_slices : packed_slices,
                    blocks_of_packed_slices};
          case ProductKernel::short_slices:
            return {
              sorted
                ? (many ? sorted_short_slices_many : sorted_short_slices_few)
                : (many ? short_slices_many : short_slices_few),
              many ? blocks_of_short_slices_many : blocks_of_short_slices_few};
          case ProductKernel::coo:
            return {coo, blocks_of_coo};
          case ProductKernel::csr_merge:
            return {csr_merge, blocks_of_csr_merge};
          case ProductKernel::csr_mgpu:
            return {csr_mgpu, blocks_of_csr_mgpu};
        }
      throw std::logic_error("of_kernel: a kernel without a case");
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

    /// Returns the fraction of data of this size that is no longer in the cache
    /// when it is used again: one half if the cache has the same size.
    double
    share_of_memory(const double bytes)
    {
      const double fourth = std::pow(bytes / costs::cache, 4);
      return fourth / (1 + fourth);
    }
  } // namespace

  double
  predict_seconds(const ProductWork &work, const Product &product,
                  const Backend backend)
  {
    if (backend == Backend::host)
      return seconds_on_host(work, product.kernel);
    constexpr int warps_of_block = 4;
    const auto [k, blocks]       = of_kernel(product, work);
    const double places =
      costs::multiprocessors * warps_of_block *
      (work.number_bytes == 8 ? blocks.of_double : blocks.of_float);
    const double bytes = work.stored + work.vectors;
    const double share = share_of_memory(bytes);
    const double far   = std::max(work.gathered - work.vectors, 0.) *
                       share_of_memory(work.vectors);
    return k.launch +
           bytes *
             ((1 - share) * costs::cached_byte + share * costs::stored_byte) +
           work.gathered * costs::gathered_byte + far * costs::far_byte +
           (work.starts * k.start + work.steps * k.step) / places +
           work.longest * k.entry + work.requests * k.request;
  }
} // namespace tessera::spmv
