#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/registry_definitions.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/factory.h>

#include <algorithm>
#include <iterator>

namespace tessera
{
  template class Registry<PreconditionerDescriptor>;

  namespace
  {
    /// Gives the problem the rows that A stores, unless there are rows of
    /// ghosts or of hanging nodes besides.
    template <class Number>
    void
    take_rows(PreconditionerProblem &problem, const Operator<Number> &A)
    {
      const auto *rows = A.as_rows();
      if (rows == nullptr || rows->matrix().n_rows() != A.n_owned() ||
          A.parts().are_several())
        return;
      problem.matrix = [rows]() {
        return collect_rows(rows->matrix(), rows->matrix().n_rows());
      };
      problem.rows = [rows]() {
        return copy_rows(rows->matrix(), rows->matrix().n_rows());
      };
    }

    /// Throws ParameterError if the descriptor says that it does not work with
    /// this operator or this problem.
    template <class Number>
    void
    check(const PreconditionerDescriptor &d, const Operator<Number> &A,
          const PreconditionerProblem &problem)
    {
      const auto refuse = [&](const std::string &why,
                              const std::vector<std::string> &legal) {
        throw ParameterError("The preconditioner " + d.name + ' ' + why +
                             "; legal is " + list_of(legal) + '.');
      };
      const auto known = operator_names();
      // A may be an operator that a program has and nobody registered.
      if (std::count(known.begin(), known.end(), A.name()) > 0)
        {
          const OperatorDescriptor &op = descriptor(A.name());
          if (!d.works_with.reads(op))
            throw ParameterError(refusal_of_operator(d.name, A.name()));
          if (A.parts().are_several() && d.works_with.several_processes &&
              !d.works_with.reads_parts_of(op))
            throw ParameterError(
              "In several processes the preconditioner " + d.name + " needs " +
              d.works_with.needs_of_parts + ", which " + A.name() + " is not.");
        }
      if (!d.works_with.is_for(A.backend()))
        refuse(d.works_with.host ? "is for the host" : "is for a device",
               preconditioners_where([&](const auto &other) {
                 return other.works_with.is_for(A.backend());
               }));
      if (A.parts().are_several() && !d.works_with.several_processes)
        refuse("is for one process", preconditioners_where([](const auto &o) {
                 return o.works_with.several_processes;
               }));
      if (problem.space != nullptr && problem.space->n_hanging > 0 &&
          !d.works_with.hanging_nodes)
        refuse("is for meshes without hanging nodes",
               preconditioners_where(
                 [](const auto &o) { return o.works_with.hanging_nodes; }));
      if (d.needs_matrix && !problem.matrix)
        refuse("is made from a matrix, which is not known here",
               plain_preconditioner_names());
      if (!std::get<PreconditionerDescriptor::Maker<Number>>(d.makers))
        refuse(
          "does not exist in this number type",
          preconditioners_where([](const auto &other) {
            return static_cast<bool>(
              std::get<PreconditionerDescriptor::Maker<Number>>(other.makers));
          }));
      check_values(problem.options, d.options, "the preconditioner " + d.name);
    }
  } // namespace

  const PreconditionerDescriptor &
  preconditioner_descriptor(const std::string &name)
  {
    return *std::next(
      Registry<PreconditionerDescriptor>::all().begin(),
      index_of_name(name, preconditioner_names(), "preconditioner"));
  }

  bool
  PreconditionerDescriptor::has(const OptionSet &set) const
  {
    return std::count(options.begin(), options.end(), &set) > 0;
  }

  const Option *
  start_option(const OptionValues &options)
  {
    for (const auto &d : Registry<PreconditionerDescriptor>::all())
      if (d.start != nullptr &&
          d.start->value(options) != d.start->default_value)
        return d.start;
    return nullptr;
  }

  std::vector<const OptionSet *>
  preconditioner_option_sets()
  {
    std::vector<const OptionSet *> result;
    for (const auto &d : Registry<PreconditionerDescriptor>::all())
      for (const OptionSet *const set : d.options)
        if (std::count(result.begin(), result.end(), set) == 0)
          result.push_back(set);
    return result;
  }

  OptionValues
  options_of(const std::string &preconditioner, const OptionValues &given,
             const UnusedOption &unused)
  {
    const auto &d = preconditioner_descriptor(preconditioner);
    OptionValues result;
    for (const OptionSet *const set : preconditioner_option_sets())
      for (const Option &option : set->options)
        if (const auto value = given.find(option.name); value == given.end())
          continue;
        else if (d.has(*set))
          result.insert(*value);
        else if (unused)
          unused(option.name, *set);
    return result;
  }

  std::string
  preconditioners_with(const OptionSet &set)
  {
    return list_of(
      preconditioners_where([&](const auto &d) { return d.has(set); }));
  }

  std::vector<std::string>
  preconditioner_names()
  {
    return preconditioners_where([](const auto &) { return true; });
  }

  std::vector<std::string>
  plain_preconditioner_names()
  {
    return preconditioners_where([](const auto &d) { return !d.needs_matrix; });
  }

  bool
  is_diagonal(const std::string &name)
  {
    return preconditioner_descriptor(name).is_diagonal;
  }

  std::vector<std::string>
  operators_of_preconditioner(const std::string &name)
  {
    const WorksWith &with = preconditioner_descriptor(name).works_with;
    auto names = names_where([&](const auto &op) { return with.reads(op); });
    if (with.reads(descriptor(auto_operator)))
      names.push_back(auto_operator);
    return names;
  }

  std::string
  refusal_of_operator(const std::string &name, const std::string &operator_name)
  {
    return "The preconditioner " + name + ' ' +
           preconditioner_descriptor(name).works_with.needs +
           ", which the operator " + operator_name +
           " does not have; legal with it are " +
           list_of(operators_of_preconditioner(name)) + '.';
  }

  template <class Number>
  const RowMatrix<Number> &
  rows_for(const std::string &name, const Operator<Number> &A)
  {
    const auto *row_operator = A.as_rows();
    if (row_operator == nullptr)
      throw ParameterError(refusal_of_operator(name, A.name()));
    return row_operator->matrix();
  }

  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const PreconditionerProblem &problem, const Stream stream)
  {
    const PreconditionerDescriptor &d = preconditioner_descriptor(name);
    PreconditionerProblem known       = problem;
    if (d.needs_matrix && !known.matrix)
      take_rows(known, A);
    check(d, A, known);
    return std::get<PreconditionerDescriptor::Maker<Number>>(d.makers)(A, known,
                                                                       stream);
  }

#define INSTANTIATE(Number)                                                  \
  template const RowMatrix<Number> &rows_for<Number>(                        \
    const std::string &, const Operator<Number> &);                          \
  template std::unique_ptr<Preconditioner<Number>>                           \
  make_preconditioner<Number>(const std::string &, const Operator<Number> &, \
                              const PreconditionerProblem &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
