#pragma once

#include <tessera/base/registry.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/appended_rows.h>
#include <tessera/operators/options.h>
#include <tessera/operators/works_with.h>
#include <tessera/space/tail.h>

#include <functional>
#include <memory>
#include <tuple>

// An operator describes itself: its source, in any library, registers a
// function that returns its descriptor. All knowledge about operators is read
// from these descriptors.
namespace tessera
{
  /// Mean counts per cell of a large mesh, from which the memory that an
  /// operator needs is estimated.
  struct MemoryCounts
  {
    CellType cell_type;
    int degree;
    Geometry geometry;
    double number_bytes;
    double nodes; ///< of a cell
    double dofs, nonzeros;
    double longest_row; ///< entries
    double most_cells;  ///< around a vertex
    double n_cells = 1; ///< of the mesh, if bytes per cell depend on it

    /// Returns the bytes of so many places for a value and a column.
    double
    places(const double n) const
    {
      return n * (number_bytes + sizeof(int));
    }
  };

  /// The memory of compressed rows.
  inline double
  bytes_of_entries(const MemoryCounts &n, const StorageOptions &)
  {
    return n.places(n.nonzeros);
  }

  /// The input for making an operator that works cell by cell; `tail` and
  /// `boundary` may be null.
  template <class Number>
  struct CellProblem
  {
    std::shared_ptr<const CellData<Number>> cells;
    std::shared_ptr<const FormData<Number>> form;
    std::string strategy;
    Conflict conflict;
    std::shared_ptr<const Tail<Number>> tail;
    std::shared_ptr<const BoundaryMatrices<Number>> boundary;
    StorageOptions storage;
  };

  /// Makes operators in one number type. One of the functions is set.
  template <class Number>
  struct OperatorMaker
  {
    /// Makes the operator from a pattern; all values are zero.
    std::function<std::unique_ptr<RowOperator<Number>>(
      CsrPattern &&, int n_tail, const AssemblyOptions &)>
      from_pattern = {};
    /// Makes the rows to which assembly appends, for forms with that many
    /// components; the faces may be null.
    std::function<std::unique_ptr<AppendedRows<Number>>(
      const CellData<Number> &, const BoundaryMatrices<Number> *,
      int n_components)>
      from_appended = {};
    std::function<std::unique_ptr<Operator<Number>>(
      const CellProblem<Number> &)>
      from_cells = {};
  };

  /// Describes an operator: name, construction, abilities, options, stored
  /// memory and moved bytes.
  struct OperatorDescriptor
  {
    std::string name;
    std::string sentence; ///< what it is
    std::string source;   ///< paper and section
    /// The options of the operator, each set described in the source of its
    /// operator. They are compared by address.
    std::vector<const OptionSet *> options = {};
    WorksWith works_with                   = {};
    /// The estimated bytes per cell that it stores in addition to cells and
    /// slots, including temporary memory while it is made.
    std::function<double(const MemoryCounts &, const StorageOptions &)> memory =
      {};
    /// The estimated bytes per cell that it stores only on the device; empty if
    /// there are none.
    std::function<double(const MemoryCounts &)> memory_of_device = {};
    /// The bytes per degree of freedom that a product moves on a large mesh of
    /// quadrilaterals of a degree, for numbers of so many bytes (models.h);
    /// empty if no formula is known.
    std::function<double(int degree, int number_bytes)> model = {};
    /// The bytes per cell that assembly moves on such a mesh; empty if no
    /// formula is known, and for rows with a pattern, which share one formula.
    std::function<double(int degree, int number_bytes)> assembly_model = {};
    /// True if an index of a column serves all entries of a block with these
    /// options; empty if never.
    std::function<bool(const StorageOptions &)> stores_blocks = {};
    bool stores_nothing        = false; ///< matrix-free
    bool assembles_in_products = false; ///< with a strategy
    /// True if it stores cell matrices in an order that only its own kernels
    /// can read.
    bool hides_entries   = false;
    bool pads_to_longest = false; ///< all rows have places for the longest one
    /// True if a row may have several entries of a column, so that SSOR copies
    /// rows without repetitions.
    bool repeats_columns                                           = false;
    std::tuple<OperatorMaker<double>, OperatorMaker<float>> makers = {};

    template <class Number>
    const OperatorMaker<Number> &
    maker() const
    {
      return std::get<OperatorMaker<Number>>(makers);
    }

    /// Sets `from_pattern` for both number types to
    /// `make(Number(), pattern, n_tail, options)`.
    template <class Make>
    void
    from_pattern(const Make &make)
    {
      for_numbers([&](auto number, auto &maker) {
        maker.from_pattern = [=](CsrPattern &&pattern, const int n_tail,
                                 const AssemblyOptions &options) {
          return make(number, std::move(pattern), n_tail, options);
        };
      });
    }

    /// Does this for operators of a matrix that is made from the pattern alone:
    /// Operator<Number>(Matrix<Number>(pattern), n_tail).
    template <template <class> class Operator, template <class> class Matrix>
    void
    from_pattern()
    {
      from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                      const AssemblyOptions &) {
        using Number = decltype(number);
        return std::make_unique<Operator<Number>>(
          Matrix<Number>(std::move(pattern)), n_tail);
      });
    }

    /// Sets `from_appended` to
    /// `std::make_unique<Rows<Number>>(cells, faces, n_components)`.
    template <template <class> class Rows>
    void
    from_appended()
    {
      for_numbers([&](auto number, auto &maker) {
        maker.from_appended = [](const auto &cells, const auto *faces,
                                 const int n_components) {
          return std::make_unique<Rows<decltype(number)>>(cells, faces,
                                                          n_components);
        };
      });
    }

    /// Says that it stores half of the matrix of a cell.
    void
    takes_symmetric_forms()
    {
      works_with.forms = [](const auto &form) { return form.symmetric; };
      works_with.needs_of_forms = "symmetric forms";
    }

    /// Sets `from_cells` to `make(Number(), problem)`.
    template <class Make>
    void
    from_cells(const Make &make)
    {
      for_numbers([&](auto number, auto &maker) {
        maker.from_cells = [=](const auto &problem) {
          return make(number, problem);
        };
      });
    }

    /// True if it stores an assembled matrix by rows (`RowOperator`).
    bool
    stores_rows() const
    {
      return has_pattern() || is_appended();
    }

    /// True if its rows are made from a sparsity pattern.
    bool
    has_pattern() const
    {
      return static_cast<bool>(maker<double>().from_pattern);
    }

    /// True if assembly appends to its rows, so that it is made from cells
    /// instead of a sparsity pattern.
    bool
    is_appended() const
    {
      return static_cast<bool>(maker<double>().from_appended);
    }

    bool
    has(const OptionSet &set) const;

  private:
    template <class Set>
    void
    for_numbers(const Set &set)
    {
      set(double(), std::get<OperatorMaker<double>>(makers));
      set(float(), std::get<OperatorMaker<float>>(makers));
    }
  };

  extern template class Registry<OperatorDescriptor>;

  /// Returns the descriptors of the operators of all linked libraries, in the
  /// order of their names.
  const std::list<OperatorDescriptor> &
  descriptors();

  /// Returns the descriptor of an operator, or of `auto`, which times a few row
  /// formats when it is made and keeps the fastest (format_choice.h). Throws
  /// ParameterError naming the legal names.
  const OperatorDescriptor &
  descriptor(const std::string &name);

  /// The names of the operators for which `property(descriptor)` is true.
  template <class Property>
  std::vector<std::string>
  names_where(const Property &property)
  {
    std::vector<std::string> names;
    for (const OperatorDescriptor &candidate : descriptors())
      if (property(candidate))
        names.push_back(candidate.name);
    return names;
  }

  /// The options of all operators, every set once.
  std::vector<const OptionSet *>
  option_sets();

  /// Returns the owner of a set of options, such as "csr on the device".
  std::string
  owners_of(const OptionSet &set);
} // namespace tessera
