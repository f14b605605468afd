#pragma once

#include "cusparse_peer.h"
#include "measurements.h"

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

    /// Measures cuSPARSE on the matrix of `csr`, unless that stores blocks. For
    /// nodes with components BSR is among its formats.
    void
    peers(Row row, const Csr<Number> &csr, const AssemblyOptions &options)
    {
      if (csr.matrix().blocks().size > 1)
        return;
      row.library = "cuSPARSE";
      row.conflict.clear();
      std::vector<std::string> algorithms = cusparse_algorithms();
      const std::string blocks =
        "bsr" + std::to_string(this->space.n_components) + '_';
      for (const std::string &algorithm : cusparse_block_algorithms())
        if (algorithm.compare(0, blocks.size(), blocks) == 0)
          algorithms.push_back(algorithm);
      for (const std::string &algorithm : algorithms)
        {
          row.parameters["algorithm"] = algorithm;
          peer(row, csr, algorithm, options);
        }
    }

    using Measurements<Number>::sweep;
    using Measurements<Number>::report;
    using Measurements<Number>::M;

  private:
    /// Measures the product of one algorithm, and our solver with it.
    void
    peer(Row row, const Csr<Number> &csr, const std::string &algorithm,
         const AssemblyOptions &options)
    {
      std::unique_ptr<Operator<Number>> product;
      double seconds = program::not_measured; // to make the product
      // The next algorithm needs the matrix, so it stays if this one fails.
      const auto measure_with = [&](const auto &work) {
        if (is_wanted(row, options))
          report.measure(row, [&](Row &r) {
            if (!product)
              {
                const program::Timer timer;
                product = make_cusparse(csr.matrix(), csr.n_tail(), algorithm);
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
