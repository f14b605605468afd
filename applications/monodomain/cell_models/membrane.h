#pragma once

#include "cell_model.h"
#include <tessera/base/vector.h>

#include <map>
#include <vector>

namespace tessera
{
  /// A cell at every node: the states of a cell model without the potential,
  /// which is a vector of the space. All data is in the memory of the backend.
  template <class Number>
  class Membrane
  {
  public:
    /// `regions` says for every node which of the lists in `parameters`,
    /// [n_regions][n_parameters], it has. States begin with the model's initial
    /// values. Throws std::length_error where sizes do not fit.
    Membrane(const CellModel &model, Backend backend,
             const std::vector<unsigned char> &regions,
             const std::vector<std::vector<double>> &parameters);

    /// Advances the states and the potential, whose first `n_nodes()` entries
    /// belong to the nodes, by `step`, in `n_steps` equal steps of the order 1
    /// or 2 (see `advance_cell`), with tables if there are some for these
    /// steps. `stimulus`, [n_nodes], in the memory of the
    /// backend, is added to the derivative of the potential; null: none. Reads
    /// and writes every state once: 2 n_states numbers and a byte a node. The
    /// call does not wait for the device, allocates nothing and is repeatable.
    void
    advance(Vector<Number> &potential, const Number *stimulus, double step,
            int n_steps, int order, Stream stream = {});

    /// Makes tables (RateTable) of the gates that depend on the potential
    /// alone, for the steps of such calls of `advance`. Takes 0.7 MB for each
    /// list of parameters of ten_tusscher_panfilov. Models without such gates
    /// have none.
    void
    tabulate(double step, int n_steps, int order);

    void
    forget_tables()
    {
      tables.clear();
    }

    int
    n_nodes() const
    {
      return static_cast<int>(regions.size());
    }

    const CellModel &
    model() const
    {
      return cell_model;
    }

    /// Returns the states after the potential, [n_states - 1][n_nodes].
    std::vector<Number>
    states() const;

    /// Overwrites them. Throws std::length_error for another number of values.
    void
    set_states(const std::vector<Number> &values);

    std::size_t
    bytes() const
    {
      return values.bytes() + regions.bytes() + parameters.bytes();
    }

  private:
    CellModel cell_model;
    /// [n_states - 1][stride]; the stride is the number of nodes, rounded up.
    Array<Number> values;
    int stride;
    Array<unsigned char> regions; ///< [n_nodes]
    Array<Number> parameters;     ///< [n_regions][n_parameters]
    /// The tables of all regions for each length of a step.
    std::map<Number, Array<Number>> tables;
  };
} // namespace tessera
