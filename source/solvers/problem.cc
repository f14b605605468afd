#include <tessera/assembly/load_vector.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/sparse_rows.h>
#include <tessera/operators/lift.h>
#include <tessera/solvers/problem.h>

#include <algorithm>
#include <type_traits>

namespace tessera
{
  template <class Number>
  Problem<Number>::Problem(std::shared_ptr<const Space> space,
                           const Backend backend, Parts<Number> parts,
                           const AssemblyOptions &options, BoundaryFaces faces,
                           std::shared_ptr<const CellData<Number>> cells)
    : own_space(std::move(space)),
      of_cells(cells != nullptr ? std::move(cells)
                                : std::make_shared<const CellData<Number>>(
                                    own_space, backend)),
      own_parts(std::move(parts)), own_options(options),
      own_faces(std::move(faces))
  {
    if (own_faces.mass.empty())
      own_faces = {};
    else
      boundary = std::make_shared<const BoundaryMatrices<Number>>(
        *own_space, own_faces, backend);
  }

  template <class Number>
  Problem<Number>
  Problem<Number>::without_faces() const
  {
    Problem result   = *this;
    result.own_faces = {};
    result.boundary.reset();
    return result;
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  Problem<Number>::make_operator(const std::string &name, const Form &form,
                                 const AssemblyOptions &options) const
  {
    return tessera::make_operator<Number>(name, of_cells, form, options,
                                          own_parts, boundary);
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  Problem<Number>::make_operator(const std::string &name,
                                 std::shared_ptr<const FormData<Number>> form,
                                 const AssemblyOptions &options) const
  {
    return tessera::make_operator<Number>(name, of_cells, std::move(form),
                                          options, own_parts, boundary);
  }

  template <class Number>
  void
  Problem<Number>::update(Operator<Number> &A, const Form &form,
                          const Stream stream) const
  {
    A.update(std::make_shared<const FormData<Number>>(form, *of_cells), stream);
    // The memory of the form must outlive what was issued.
    if (backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  template <class Number>
  template <class T>
  PreconditionerChoice
  Problem<Number>::choose_preconditioner(const Operator<T> &A,
                                         const Form *const form) const
  {
    const OtherParts &others = *own_parts.others();
    if (own_parts.are_several() && !others.are_several())
      return {diagonal_preconditioner(),
              "others need to know how parts reach each other"};
    const auto sum = [&](const int of_part) {
      return sum_over_parts(*others.messages, double(of_part));
    };
    PreconditionerQuestion question;
    question.shape   = {backend(), space().cell_type, space().degree,
                        space().n_components, sum(A.n_owned())};
    const auto known = operator_names();
    if (std::count(known.begin(), known.end(), A.name()) > 0)
      question.op = &descriptor(A.name());
    question.several_processes = own_parts.are_several();
    question.hanging_nodes     = sum(space().n_hanging) > 0;
    question.has_matrix        = form != nullptr || A.as_rows() != nullptr;
    question.at_once           = true;
    return tessera::choose_preconditioner(question);
  }

  template <class Number>
  template <class T>
  std::unique_ptr<Preconditioner<T>>
  Problem<Number>::make_preconditioner(const std::string &name,
                                       const Operator<T> &A,
                                       const OptionValues &options,
                                       const Form *const form,
                                       const WithRows &with_rows) const
  {
    if (name == auto_preconditioner)
      {
        const std::string chosen = choose_preconditioner(A, form).name;
        return make_preconditioner(chosen, A, options_of(chosen, options), form,
                                   with_rows);
      }
    PreconditionerProblem given;
    given.options        = options;
    given.n_components   = space().n_components;
    given.space          = own_space;
    const bool conforms  = space().n_hanging == 0;
    const auto *const of = A.as_rows();
    const auto call      = [&](const auto &take) {
      if (with_rows)
        return with_rows(take);
      if (of != nullptr)
        return take(of->matrix());
      const auto assembled = make_operator("csr", *form, AssemblyOptions());
      take(assembled->as_rows()->matrix());
    };
    if (conforms && form != nullptr && boundary == nullptr)
      given.form = std::make_shared<const Form>(*form);
    if constexpr (std::is_same_v<Number, double>)
      if (conforms)
        given.cells = of_cells;
    if (with_rows || of != nullptr || form != nullptr)
      given.matrix = [&]() {
        SparseMatrix result;
        call([&](const auto &rows) {
          own_parts.others()->messages->collectively(
            [&]() { result = matrix_of_owned(rows, space()); });
        });
        return result;
      };
    if (given.matrix && conforms && !own_parts.are_several())
      given.rows = [&]() {
        SparseRows result;
        call([&](const auto &rows) {
          result = copy_rows(rows, space().n_owned * space().n_components);
        });
        return result;
      };
    return tessera::make_preconditioner<T>(name, A, given);
  }

  template <class Number>
  Vector<Number>
  Problem<Number>::loads(const Coefficient &source,
                         const BoundaryFaces &faces) const
  {
    const Route route =
      own_options.route == Route::gather ? Route::gather : Route::scatter;
    Vector<Number> b = make_vector();
    add_load_vector(b, *of_cells, source, conflict(), route);
    if (faces.n_faces() > 0)
      add_boundary_load(b, *of_cells, faces, conflict(), route);
    return b;
  }

  template <class Number>
  void
  Problem<Number>::finish(Vector<Number> &b) const
  {
    finish_right_hand_side(b, *of_cells, own_parts.ghosts());
  }

  template <class Number>
  void
  Problem<Number>::lift(Vector<Number> &b, const Form &form,
                        const Vector<Number> &given) const
  {
    tessera::lift<Number>(b, given, of_cells, form, boundary.get(), conflict(),
                          own_parts.ghosts());
  }

  template <class Number>
  Vector<Number>
  Problem<Number>::right_hand_side(const Coefficient &source,
                                   const BoundaryFaces &faces) const
  {
    Vector<Number> b = loads(source, faces);
    finish(b);
    return b;
  }

  template <class Number>
  Vector<Number>
  Problem<Number>::right_hand_side(const Form &form, const Coefficient &source,
                                   const BoundaryFaces &faces,
                                   const Vector<Number> &given) const
  {
    Vector<Number> b = loads(source, faces);
    lift(b, form, given);
    return b;
  }

#define INSTANTIATE(Number, T)                                          \
  template PreconditionerChoice Problem<Number>::choose_preconditioner( \
    const Operator<T> &, const Form *) const;                           \
  template std::unique_ptr<Preconditioner<T>>                           \
  Problem<Number>::make_preconditioner(                                 \
    const std::string &, const Operator<T> &, const OptionValues &,     \
    const Form *, const WithRows &) const;
  template class Problem<double>;
  template class Problem<float>;
  INSTANTIATE(double, double)
  INSTANTIATE(double, float)
  INSTANTIATE(float, float)
#undef INSTANTIATE
} // namespace tessera
