#pragma once

#include <tessera/forms/form.h>
#include <tessera/matrix/sparse_rows.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/works_with.h>
#include <tessera/preconditioners/preconditioner.h>

// A preconditioner describes itself, as an operator does: its source, in any
// library, registers a function that returns its descriptor. All knowledge
// about preconditioners is read from these descriptors.
namespace tessera
{
  /// The data besides A from which a preconditioner can be made. The caller
  /// gives all that it has, and the preconditioner picks what it needs.
  struct PreconditionerProblem
  {
    OptionValues options = {}; ///< of the preconditioner
    int n_components     = 1;  ///< rows of a node
    /// The space whose owned entries the rows are; null if there is none.
    std::shared_ptr<const Space> space = {};
    /// Returns the matrix of the owned entries, which may take an assembly. In
    /// several parts it has rows and columns of ghosts behind the owned ones,
    /// with the contributions of the cells of this part. If it is empty, the
    /// rows that A stores are used, unless there are several parts or hanging
    /// nodes.
    std::function<SparseMatrix()> matrix = {};
    /// Returns the same matrix in the memory of the backend of A; empty if it
    /// is known only on the host.
    std::function<SparseRows()> rows = {};
    /// The form whose matrix on the cells of `space` the rows are; null if it
    /// is not known, or faces contribute as well.
    std::shared_ptr<const Form> form = {};
    /// The cells of `space` on the backend of A; null if they are not there.
    std::shared_ptr<const CellData<double>> cells = {};
  };

  /// The data from which the memory of a preconditioner is estimated.
  struct PreconditionerCounts
  {
    MemoryCounts cell;            ///< of the space, in its own number type
    MemoryCounts linear;          ///< of a space of degree 1 on the same mesh
    int n_components;             ///< rows of a node
    const OperatorDescriptor &op; ///< that it reads
    bool has_rows;                ///< some operator of the solve stores rows
    OptionValues options;

    /// Returns the mean number of rows per cell.
    double
    rows() const
    {
      return cell.dofs * n_components;
    }

    /// Returns the bytes per cell of n numbers for every row.
    double
    vectors(const double n) const
    {
      return n * cell.number_bytes * rows();
    }
  };

  /// Estimated bytes per cell of a preconditioner.
  struct PreconditionerMemory
  {
    double stored;     ///< on the backend
    double making = 0; ///< while it is made
    /// The largest use of that memory, as a row of a table: "colours of rows".
    std::string making_of = {};
    /// True if it is made on the host, whatever the backend of the solver.
    bool made_on_host = true;
  };

  /// The data that decides what a solve costs before anything is made.
  struct SolveShape
  {
    Backend backend    = Backend::host;
    CellType cell_type = CellType::quadrilateral;
    int degree         = 1;
    int n_components   = 1;
    double n_rows      = 0; ///< of all processes
  };

  /// When a preconditioner saves time compared with the diagonal of A.
  struct Savings
  {
    /// The number of rows from which on it saves time; infinity if it is not
    /// known to save any.
    double least_rows;
    /// Its set-up and solve were measured to take about as long as this many
    /// iterations with the diagonal of A. A system that converges within them
    /// does not need it.
    int iterations;
  };

  /// Describes a preconditioner: name, construction, the cases it works with,
  /// options, stored memory and moved bytes.
  struct PreconditionerDescriptor
  {
    std::string name;
    std::string sentence; ///< what it is
    std::string source;   ///< paper and section, or empty
    /// The options of the preconditioner, each set described in the source of
    /// its preconditioner. They are compared by address.
    std::vector<const OptionSet *> options = {};
    WorksWith works_with                   = {};
    bool is_diagonal                       = false; ///< M is a diagonal matrix
    /// True if M is the diagonal of A, so that solvers need no other diagonal.
    bool is_diagonal_of_A = false;
    /// True if it is made from `PreconditionerProblem::matrix`.
    bool needs_matrix = false;
    /// The option whose values, except for the default, let it begin a solve;
    /// null if there is no such option.
    const Option *start = nullptr;
    /// True if it works on a copy of all entries of A, so that its time says
    /// nothing about the format in which A is stored.
    bool copies_entries = false;
    std::function<PreconditionerMemory(const PreconditionerCounts &)> memory =
      {};
    /// The estimated bytes per cell that z = M^-1 r moves, besides the products
    /// with A that it takes; empty if no formula is known.
    std::function<double(const PreconditionerCounts &)> moved = {};
    /// Tells when it saves time. `auto` (choice.h) considers the
    /// preconditioners that have this function.
    std::function<Savings(const SolveShape &)> savings = {};

    template <class Number>
    using Maker = std::function<std::unique_ptr<Preconditioner<Number>>(
      const Operator<Number> &A, const PreconditionerProblem &problem,
      Stream stream)>;

    /// Makers in either number type; empty if the type is not supported.
    std::tuple<Maker<double>, Maker<float>> makers = {};

    /// Sets the makers of both number types to
    /// `make(Number(), A, problem, stream)`.
    template <class Make>
    void
    made_by(const Make &make)
    {
      set_maker<double>(make);
      set_maker<float>(make);
    }

    bool
    has(const OptionSet &set) const;

  private:
    template <class Number, class Make>
    void
    set_maker(const Make &make)
    {
      std::get<Maker<Number>>(makers) =
        [make](const Operator<Number> &A, const PreconditionerProblem &problem,
               const Stream stream) {
          return make(Number(), A, problem, stream);
        };
    }
  };

  extern template class Registry<PreconditionerDescriptor>;

  /// Returns the descriptor of a preconditioner. Throws ParameterError naming
  /// the legal names.
  const PreconditionerDescriptor &
  preconditioner_descriptor(const std::string &name);

  /// Returns the names of the preconditioners for which `property(descriptor)`
  /// is true.
  template <class Property>
  std::vector<std::string>
  preconditioners_where(const Property &property)
  {
    std::vector<std::string> names;
    for (const auto &d : Registry<PreconditionerDescriptor>::all())
      if (property(d))
        names.push_back(d.name);
    return names;
  }

  /// Returns the options of all preconditioners, every set once.
  std::vector<const OptionSet *>
  preconditioner_option_sets();

  /// Returns the options that a preconditioner has, and calls `unused(name,
  /// set)` for each other one, with the set that has it.
  using UnusedOption =
    std::function<void(const std::string &, const OptionSet &)>;
  OptionValues
  options_of(const std::string &preconditioner, const OptionValues &given,
             const UnusedOption &unused = {});

  /// Returns the option among these by which some preconditioner takes over
  /// the start of a solve; null if there is none.
  const Option *
  start_option(const OptionValues &options);

  /// Returns the owners of a set of options, such as "chebyshev, least_squares
  /// or neumann".
  std::string
  preconditioners_with(const OptionSet &set);

  /// Returns the names of the operators that a preconditioner reads.
  std::vector<std::string>
  operators_of_preconditioner(const std::string &name);

  /// Returns the sentence by which a preconditioner refuses an operator.
  std::string
  refusal_of_operator(const std::string &name,
                      const std::string &operator_name);

  /// Returns the rows of A. Throws ParameterError with that sentence if A does
  /// not store rows.
  template <class Number>
  const RowMatrix<Number> &
  rows_for(const std::string &name, const Operator<Number> &A);
} // namespace tessera
