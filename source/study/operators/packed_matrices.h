#pragma once

#include <tessera/assembly/form_data.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/local_matrices.h>

#include <cstdint>

namespace tessera
{
  /// Chooses the device threads that work at a cell, and the stored entries of
  /// its matrix. On the host every lane has a cell, and the first three
  /// choices, which differ in threads only, store the same as LocalMatrices.
  enum class CellPacking
  {
    by_node,        ///< all; a thread for each node
    by_dof,         ///< all; a thread for each degree of freedom
    pairs,          ///< upper halves; a thread for each node
    zero_sums,      ///< entries between different nodes; a thread per cell
    float_zero_sums ///< as `zero_sums`, in float
  };

  /// Multiplies by the matrices of cells, y = sum over cells of P_e^T K_e P_e
  /// x, with other threads or other storage than LocalMatrices
  /// (KiranGautamSharma2020):
  /// - `by_node` and `by_dof`: EbE with a thread for each node or degree of
  ///   freedom of a cell (section 2.4). Thread k reads column after column of
  ///   its rows, so that threads read neighbouring numbers.
  /// - `pairs`: EbE_sym in the layout of section 3.2. First every thread has
  /// the
  ///   upper half of the block of its node with itself. The blocks of different
  ///   nodes follow in rounds, in each of which every node has one partner, so
  ///   that all threads have the same work: both threads of a pair read the
  ///   same numbers, one of them for the transposed block, and get each other's
  ///   index by a shuffle. Rounds are scheduled as in a tournament, for any
  ///   number of nodes.
  /// - `zero_sums`: the entries between different nodes of a form that maps
  ///   constants to zero, n (n - 1) / 2 instead of n (n + 1) / 2 for one
  ///   component: r_a = sum over b of K_ab (u_b - u_a). Cells with more than 25
  ///   values store upper halves, where this would save less than 8 %.
  /// - in float: products and sums stay of type Number; on the device alone.
  template <class Number>
  class PackedMatrices : public CellOperator<Number>
  {
  public:
    /// `name` is the name of the operator. Throws what LocalMatrices throws.
    /// `zero_sums` is for forms that ignore constants.
    PackedMatrices(
      std::string name, CellPacking packing,
      std::shared_ptr<const CellData<Number>> cells,
      const FormData<Number> &form, const std::string &strategy,
      Conflict conflict, std::shared_ptr<const Tail<Number>> tail = {},
      std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});

    /// Cells are assembled a part at a time into separate memory and then
    /// stored in their layout.
    void
    assemble(const FormData<Number> &form, const std::string &strategy,
             Stream stream = {}) override;

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    Precision
    precision() const override;

    /// Chooses whether values are in float.
    RecordValues
    layout_parameters() const override;

    std::string
    name() const override
    {
      return own_name;
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

    bool
    stores_inner_nodes() const override;

  private:
    bool
    in_float() const
    {
      return std::is_same_v<Number, double> &&
             packing == CellPacking::float_zero_sums;
    }

    void
    launch(const CellApply<Number> &apply, bool diagonal, Stream stream) const;

    std::string own_name;
    CellPacking packing;
    int n_stored;
    Array<Number> values;
    Array<float> rounded; ///< instead of `values`
  };

  /// Makes the operator `name` of a problem.
  template <class Number>
  std::unique_ptr<PackedMatrices<Number>>
  make_packed_matrices(const std::string &name, const CellPacking packing,
                       const CellProblem<Number> &p)
  {
    return std::make_unique<PackedMatrices<Number>>(
      name, packing, p.cells, *p.form, p.strategy, p.conflict, p.tail,
      p.boundary);
  }

  /// Returns the bytes per cell of such matrices, including the part that is
  /// kept twice while they are computed.
  double
  bytes_of_packed_matrices(CellPacking packing, const MemoryCounts &n);
} // namespace tessera
