#pragma once

#include <tessera/operators/assembler.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/choice.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/space/boundary_faces.h>

#include <functional>

namespace tessera
{
  /// The discrete problem on a backend, or one part of it: the cells, the other
  /// parts, the boundary faces whose terms have a matrix, and the way to
  /// compute operators and right-hand sides. It makes the objects of a solve:
  ///
  ///     const Problem<double> problem(space, backend);
  ///     const auto A = problem.make_operator("matrix_free", form);
  ///     const auto M = problem.make_preconditioner("jacobi", *A);
  ///     const auto b = problem.right_hand_side(source);
  ///     auto x       = problem.make_vector();
  ///     CG<double>(*A, *M).solve(x, b);
  ///     problem.update(*A, other_form);
  ///
  /// Copies share their memory. If there are several parts, all of them call
  /// the same functions in the same order.
  template <class Number>
  class Problem
  {
  public:
    /// `options` apply to every operator that is made without its own options;
    /// their conflict handling and route also apply to right-hand sides.
    /// Operators include the matrices of `faces`, if these have any. `cells`
    /// are the cells of the space on the backend, if they were made already.
    Problem(std::shared_ptr<const Space> space, Backend backend,
            Parts<Number> parts = {}, const AssemblyOptions &options = {},
            BoundaryFaces faces                           = {},
            std::shared_ptr<const CellData<Number>> cells = nullptr);

    /// The same problem in another number type.
    template <class Other>
    explicit Problem(const Problem<Other> &other)
      : Problem(other.shared_space(), other.backend(),
                {other.parts().others(), other.space(), other.backend()},
                other.options(), other.faces(),
                std::make_shared<const CellData<Number>>(*other.cells()))
    {}

    /// Returns the same problem without the matrices of boundary faces. It
    /// shares the cells, so that operators of both problems take the same
    /// vectors.
    Problem
    without_faces() const;

    /// Makes the operator of that name for a form; see the function of the same
    /// name in factory.h.
    std::unique_ptr<Operator<Number>>
    make_operator(const std::string &name, const Form &form) const
    {
      return make_operator(name, form, own_options);
    }

    std::unique_ptr<Operator<Number>>
    make_operator(const std::string &name, const Form &form,
                  const AssemblyOptions &options) const;

    /// Does the same for a form whose fields the caller changes later.
    std::unique_ptr<Operator<Number>>
    make_operator(const std::string &name,
                  std::shared_ptr<const FormData<Number>> form,
                  const AssemblyOptions &options) const;

    /// Makes the assembler of an operator of rows, for forms with as many
    /// components as the nodes of the space; see assembler.h.
    Assembler<Number>
    make_assembler(const std::string &name) const
    {
      return make_assembler(name, own_options);
    }

    Assembler<Number>
    make_assembler(const std::string &name,
                   const AssemblyOptions &options) const
    {
      return {name,     of_cells, options, boundary, own_space->n_components,
              own_parts};
    }

    /// Gives an operator of this problem the values of another form; see
    /// `Operator::update`. Set-up is not repeated. On the device the function
    /// waits for the stream.
    void
    update(Operator<Number> &A, const Form &form, Stream stream = {}) const;

    /// Calls a function with the rows of a matrix.
    using WithRows = std::function<void(
      const std::function<void(const RowMatrix<Number> &)> &)>;

    /// Makes the preconditioner of that name for an operator of this problem,
    /// or of the same problem in another number type, which must outlive it;
    /// see the function of the same name in preconditioners/factory.h. All
    /// parts call it together. A preconditioner that needs a matrix takes the
    /// rows of `with_rows` or, if that is empty, the rows that A stores. If
    /// `form` is given, A is an operator for it: rows that A does not store are
    /// assembled, and multigrid can have levels that are spaces. `auto` stands
    /// for the preconditioner of `choose_preconditioner`, and options of others
    /// are not used.
    template <class T>
    std::unique_ptr<Preconditioner<T>>
    make_preconditioner(const std::string &name, const Operator<T> &A,
                        const OptionValues &options = {},
                        const Form *form            = nullptr,
                        const WithRows &with_rows   = {}) const;

    /// Returns the preconditioner that is known to save time with A, and why,
    /// if it has to be there when a solve begins; see choice.h. It is the
    /// diagonal of A where another one would need a matrix, if there is no form
    /// and A stores no rows. All parts call it together.
    template <class T>
    PreconditionerChoice
    choose_preconditioner(const Operator<T> &A,
                          const Form *form = nullptr) const;

    /// Returns a vector of zeros.
    Vector<Number>
    make_vector() const
    {
      return of_cells->make_vector();
    }

    /// Returns the sums over the cells and boundary faces of this part: the
    /// integrals of `source` and, if given, of the data of `faces`. The tail
    /// has loads, too, until `lift` or `finish` passes them on.
    Vector<Number>
    loads(const Coefficient &source, const BoundaryFaces &faces = {}) const;

    /// Turns loads into the right-hand side of a problem without given values
    /// (`finish_right_hand_side`).
    void
    finish(Vector<Number> &b) const;

    /// Turns loads into the right-hand side of A x = b, where A is an operator
    /// of this problem for `form`, and `given` has the given values and is zero
    /// elsewhere; see the function of the same name in lift.h.
    void
    lift(Vector<Number> &b, const Form &form,
         const Vector<Number> &given) const;

    /// Returns the right-hand side of a problem whose given values are zero.
    Vector<Number>
    right_hand_side(const Coefficient &source,
                    const BoundaryFaces &faces = {}) const;

    /// Does the same for other given values; see `lift`.
    Vector<Number>
    right_hand_side(const Form &form, const Coefficient &source,
                    const BoundaryFaces &faces,
                    const Vector<Number> &given) const;

    const std::shared_ptr<const CellData<Number>> &
    cells() const
    {
      return of_cells;
    }

    const Space &
    space() const
    {
      return *own_space;
    }

    const std::shared_ptr<const Space> &
    shared_space() const
    {
      return own_space;
    }

    Backend
    backend() const
    {
      return of_cells->backend();
    }

    const Parts<Number> &
    parts() const
    {
      return own_parts;
    }

    const AssemblyOptions &
    options() const
    {
      return own_options;
    }

    /// Returns the faces whose matrices operators include.
    const BoundaryFaces &
    faces() const
    {
      return own_faces;
    }

    /// Returns the conflict handling, except for assembly into rows.
    Conflict
    conflict() const
    {
      return own_options.conflict.value_or(default_conflict(backend()));
    }

  private:
    std::shared_ptr<const Space> own_space;
    std::shared_ptr<const CellData<Number>> of_cells;
    Parts<Number> own_parts;
    AssemblyOptions own_options;
    BoundaryFaces own_faces;
    std::shared_ptr<const BoundaryMatrices<Number>> boundary;
  };
} // namespace tessera
