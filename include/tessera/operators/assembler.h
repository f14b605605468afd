#pragma once

#include <tessera/assembly/gather.h>
#include <tessera/assembly/slot_map.h>
#include <tessera/matrix/elimination.h>
#include <tessera/operators/appended_rows.h>
#include <tessera/operators/options.h>

#include <memory>
#include <optional>
#include <string>

namespace tessera
{
  /// Keeps everything except the values that assembly into an operator of rows
  /// needs: the slots of cells and faces, the lists and cell matrices of
  /// `gather`, or what rows without a pattern are made of. Use it if one
  /// matrix gets new values repeatedly, in time steps, Newton iterations or
  /// measurements:
  ///
  ///     Assembler<double> assembler("csr", cells);
  ///     auto A = assembler.make_operator(form);
  ///     assembler.assemble(*A, other_form); // costs assembly alone
  ///
  /// Slots take n^2 bytes a cell, or twice as many for rows of 255 entries and
  /// more; the lists and cell matrices of `gather` take 4 n + 4 n (n + 1) bytes
  /// a cell in double.
  template <class Number>
  class Assembler
  {
  public:
    /// Makes the pattern, the slots and an operator of that name without
    /// values, for forms with that many components. The operator is one of
    /// `parts`. `options.strategy`,
    /// `options.route` and `options.conflict` say how values are computed.
    /// Throws what `check_options` throws, and ParameterError for an operator
    /// that does not store rows.
    Assembler(const std::string &name,
              std::shared_ptr<const CellData<Number>> cells,
              const AssemblyOptions &options                           = {},
              std::shared_ptr<const BoundaryMatrices<Number>> boundary = {},
              int n_components = 1, Parts<Number> parts = {});

    /// Returns the operator, with the values of the form. Waits for the device.
    /// There is one operator; throws std::logic_error if it was taken already.
    std::unique_ptr<RowOperator<Number>>
    make_operator(const FormData<Number> &form);

    /// Overwrites the values of the operator that this object made, or of an
    /// operator that was made in the same way. Calls `values_changed`. Does not
    /// wait for the device, unless rows that were appended are consolidated;
    /// `form` must live until the device is done. Throws std::logic_error if
    /// the operator has other rows.
    void
    assemble(RowOperator<Number> &op, const FormData<Number> &form,
             Stream stream = {});

    /// Changes how values are computed from now on. Slots stay; memory that
    /// only the former choice needed is freed. `conflict` also applies to
    /// faces, which are scattered even if rows are gathered. Throws what
    /// `check_route` and `check_conflict` throw.
    void
    choose(const std::string &strategy, Route route, Conflict conflict);

    /// Returns the sink that writes into that matrix; see SlotMap. Throws
    /// std::logic_error for rows that assembly appends to: they have no slots.
    SlotSink<Number>
    sink(RowMatrix<Number> &matrix) const;

    /// Returns the bytes that are kept besides the operator.
    std::size_t
    bytes() const;

  private:
    RowValues<Number>
    values_of(const FormData<Number> &form) const
    {
      return {form, boundary.get(), strategy, conflict};
    }

    void
    write(RowMatrix<Number> &matrix, const FormData<Number> &form, bool clear,
          Stream stream);

    /// Throws std::logic_error for a form on other cells or of other
    /// components.
    void
    check(const FormData<Number> &form) const;

    std::string name;
    std::shared_ptr<const CellData<Number>> cells;
    std::shared_ptr<const BoundaryMatrices<Number>> boundary;
    int n_components;
    Parts<Number> parts;
    IdentityRows given;
    std::string strategy;
    Route route;
    bool is_asked; ///< asked for; if not, a form may change the route
    Conflict conflict;
    std::optional<SlotMap<Number>> slots, face_slots;
    std::optional<Gather<Number>> gather;
    std::unique_ptr<AppendedRows<Number>> appended;
    std::unique_ptr<RowOperator<Number>> pending; ///< until it is taken
  };
} // namespace tessera
