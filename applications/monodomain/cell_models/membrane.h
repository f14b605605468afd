#pragma once

#include "cell_model.h"
#include "rate_tables.h"
#include <tessera/base/vector.h>

#include <cstdint>
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
    /// steps; throws std::logic_error if narrow gates have none. `stimulus`,
    /// [n_nodes], in the memory of the backend, is added to the derivative of
    /// the potential; null: none. Reads and writes every state once: 2 n_states
    /// numbers and a byte a node. The call does not wait for the device,
    /// allocates nothing and is repeatable.
    void
    advance(Vector<Number> &potential, const Number *stimulus, double step,
            int n_steps, int order, Stream stream = {});

    /// Makes tables (TableLayout) for the steps of such calls of `advance`, of
    /// what depends on the potential alone: limits and decays of gates, and
    /// parts of currents. Takes 2.4 MB for each list of parameters of
    /// ten_tusscher_panfilov. Models without such gates have none. Throws
    /// ParameterError if the error of a table is more than `max_table_error`
    /// or not a number, or if narrow gates have limits outside of [0, 1].
    void
    tabulate(double step, int n_steps, int order);

    /// The largest error of all tables, seen at the ends of their intervals:
    /// for limits the difference, and for other functions f the difference over
    /// |f| and the change of f in a hundredth of the axis. For decays,
    /// f = 1 - exp(-dt rate).
    double
    table_error() const
    {
      return largest_error;
    }

    static constexpr double max_table_error = 1e-3;

    /// Stores gates that have tables in 32 bits from now on (NarrowGate), so
    /// that `advance` moves a third less; it then needs tables. Throws
    /// ParameterError if values of these gates are not in [0, 1].
    void
    narrow_gates();

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

    /// Overwrites them. Throws std::length_error for another number of values,
    /// and ParameterError if narrow gates are not in [0, 1].
    void
    set_states(const std::vector<Number> &values);

    std::size_t
    bytes() const
    {
      return values.bytes() + gates.bytes() + regions.bytes() +
             parameters.bytes();
    }

    /// The bytes of the tables of one list of parameters for steps of one
    /// length.
    static double
    table_bytes(const CellModel &model);

  private:
    /// Throws ParameterError if a value has no place as a narrow gate.
    void
    check_narrow(int gate, double value) const;

    CellModel cell_model;
    /// [n_states - 1 - narrow][stride], [narrow][stride], where `narrow` is
    /// n_tabulated or 0; the stride is the number of nodes, rounded up.
    Array<Number> values;
    Array<std::uint32_t> gates;
    bool is_narrow = false;
    int stride;
    Array<unsigned char> regions; ///< [n_nodes]
    Array<Number> parameters;     ///< [n_regions][n_parameters]
    /// The tables of all regions for each length of a step.
    std::map<Number, Array<TableEntry>> tables;
    double largest_error = 0;
  };
} // namespace tessera
