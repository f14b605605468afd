#pragma once

#include "measurements.h"
#include "peer_descriptor.h"

#include <tessera/operators/csr.h>
#include <tessera/operators/options.h>

namespace tessera::benchmarks
{
  /// Adds what other libraries need on the device.
  template <class Number>
  class PeerMeasurements : protected Measurements<Number>
  {
  protected:
    using typename Measurements<Number>::Row;
    using Measurements<Number>::Measurements;

    bool
    is_wanted(const Row &row, const AssemblyOptions &options) const
    {
      return !sweep.wanted || sweep.wanted(row, options);
    }

    /// Measures the peers of the sweep on the matrix of `csr`, unless that
    /// stores blocks. For nodes with components, blocks of as many rows are
    /// among their products.
    void
    peers(Row row, const Csr<Number> &csr, const AssemblyOptions &options)
    {
      if (csr.matrix().blocks().size > 1)
        return;
      row.conflict.clear();
      for (const PeerDescriptor *const peer : sweep.peers)
        for (const PeerProduct &product : peer->products)
          if (product.block == 1 || product.block == this->space.n_components)
            {
              row.library = peer->library;
              for (const auto &[name, value] : product.shown)
                row.parameters[name] = value;
              measure_product(row, csr, product, options);
            }
    }

    using Measurements<Number>::sweep;
    using Measurements<Number>::report;
    using Measurements<Number>::M;

  private:
    /// Measures a product of a peer, and our solver with it.
    void
    measure_product(Row row, const Csr<Number> &csr, const PeerProduct &of,
                    const AssemblyOptions &options)
    {
      const auto &make = std::get<PeerProduct::Maker<Number>>(of.makers);
      if (!make)
        return;
      std::unique_ptr<Operator<Number>> product;
      double seconds = program::not_measured; // to make the product
      // The next product needs the matrix, so it stays if this one fails.
      const auto measure_with = [&](const auto &work) {
        if (is_wanted(row, options))
          report.measure(row, [&](Row &r) {
            if (!product)
              {
                const program::Timer timer;
                product = make({nullptr, &csr.matrix(), csr.n_tail()});
                seconds = timer.seconds();
              }
            r.setup_seconds = seconds;
            work(r);
          });
      };
      if (sweep.measures("application"))
        measure_with([&](Row &r) { this->time_application(r, *product); });
      row.kind = "cg";
      for (const std::string &preconditioner : sweep.preconditioners)
        // What works on a copy of our rows takes longer than the product that
        // is compared.
        if (sweep.measures("cg") &&
            !preconditioner_descriptor(preconditioner).copies_entries)
          {
            row.parameters["preconditioner"] = preconditioner;
            measure_with([&](Row &r) { this->iterate(r, *product, csr); });
            M.reset();
          }
    }
  };
} // namespace tessera::benchmarks
