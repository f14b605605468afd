#pragma once

#include <tessera/assembly/options.h>
#include <tessera/matrix/row_addressing.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/coefficient_data.h>

#include <cstdint>
#include <string>

// The kernels of a form are a separate library. The rest of the code sees only
// this header: a table of functions, and their arguments.
namespace tessera
{
  /// The fields of a form as kernels read them.
  template <class Number>
  struct FieldsView
  {
    CoefficientView<Number> coefficient;
    /// The current solution, [node][component], for forms that read it.
    const Number *solution;
    /// [n_batches][n_points n_state][lanes], for forms with a state.
    Number *state;
    /// Upper halves of the matrices of `projection_matrices`,
    /// [n_batches][m (m + 1) / 2][lanes], for forms that project.
    const Number *projections;
  };

  /// The cells that an assembly kernel works on.
  template <class Number>
  struct AssemblyCells
  {
    CellView<Number> cells;
    int batches_per_block;
    BlockList blocks;
    Conflict conflict;
    FieldsView<Number> fields;
  };

  /// Tells where assembly writes the entries of cell matrices in a matrix of
  /// rows. Entry (i, j) of a cell is added to values[rows.position(row, slot)],
  /// where row is the local index of the cell's node i and the slot is the
  /// place of the entry within that row. The largest number of the slot type
  /// marks entries that are not stored because their row or column is
  /// constrained.
  template <class Number>
  struct SlotSink
  {
    Number *values;
    RowAddressing rows;
    int n_rows;
    /// Slots, [n_batches][n (i)][n (j)][lanes], lane fastest, in 8 or in 16
    /// bits; the other pointer is null.
    const std::uint8_t *slots_8;
    const std::uint16_t *slots_16;
  };

  /// The result that a product of cells computes from a form.
  enum class Quantity
  {
    product,  ///< y += A x, the tangent where the form reads the solution
    residual, ///< y += r, the residual; x is the solution
    state     ///< no vector: the states of the points change; x is the solution
  };

  /// Kernels that compute the entries of cell matrices, by one strategy.
  /// `space` describes the cells.
  template <class Number>
  class EntryKernels
  {
  public:
    virtual ~EntryKernels() = default;

    virtual void
    assemble_rows(Backend, const Space &space, const AssemblyCells<Number> &,
                  const SlotSink<Number> &, Stream) const = 0;

    virtual void
    assemble_local(Backend, const Space &space, const AssemblyCells<Number> &,
                   Number *values, bool upper, Stream) const = 0;
  };

  /// The compiled kernels of a form for a number type; local_reuse computes
  /// entries. If a kernel is missing, all functions throw ParameterError with
  /// the form and the cases for which it is compiled.
  template <class Number>
  class FormKernels : public EntryKernels<Number>
  {
  public:
    /// Throws ParameterError if there are no kernels for such cells.
    virtual void
    check(const Space &space) const = 0;

    virtual void
    apply(Backend, const Space &space, const CellApply<Number> &,
          const FieldsView<Number> &, Quantity, Stream) const = 0;

    virtual void
    assemble_diagonal(Backend, const Space &space,
                      const AssemblyCells<Number> &, Number *d,
                      Stream) const = 0;
  };

  /// A form as the library of its kernels describes it.
  struct CompiledForm
  {
    /// The sizes that depend on the dimension.
    struct Sizes
    {
      int n_components;
      int n_coefficients;
      int n_state; ///< numbers of a quadrature point
    };

    std::string name; ///< as in forms.def
    bool symmetric;
    bool reads_solution;
    /// True if it reads gradients of u alone, so that constants are mapped to
    /// zero: the rows of a cell matrix add up to zero in every component.
    bool ignores_constants;
    Sizes in_2d, in_3d;
    /// Returns the coefficient with all of its components, for a dimension.
    Coefficient (*complete)(const Coefficient &, int dim);
    /// Returns kappa of forms that project (forms/form.h) from a complete
    /// coefficient; null for others.
    double (*projection_weight)(const double *coefficient, int dim);
    const FormKernels<double> *in_double;
    const FormKernels<float> *in_float; ///< null if it is not compiled

    const Sizes &
    sizes(const int dim) const
    {
      return dim == 2 ? in_2d : in_3d;
    }

    /// Throws ParameterError if it is not compiled for that number type.
    template <class Number>
    const FormKernels<Number> &
    kernels() const;
  };
} // namespace tessera
