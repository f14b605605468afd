#pragma once

#include <tessera/base/registry.h>
#include <tessera/operators/works_with.h>
#include <tessera/preconditioners/preconditioner.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

// A method of conjugate gradients describes itself, as an operator does: its
// source registers a function that returns its descriptor.
namespace tessera
{
  template <class Number>
  class CGRecurrence;

  /// Makes and ranks a method in one number type.
  template <class Number>
  struct CGMethodMaker
  {
    /// Makes the recurrence (source/solvers/cg_recurrence.h). Throws
    /// ParameterError if the method does not work with A or the preconditioner.
    std::function<std::unique_ptr<CGRecurrence<Number>>(
      const Operator<Number> &A, const Preconditioner<Number> &preconditioner)>
      make = {};
    /// Returns how well the method suits them: the method `auto` is the one
    /// with the highest rank. 0 if `auto` must not choose it.
    std::function<int(const Operator<Number> &A,
                      const Preconditioner<Number> &preconditioner)>
      rank = {};
  };

  /// Describes a way to compute conjugate gradients.
  struct CGMethodDescriptor
  {
    std::string name;
    std::string sentence; ///< what it is
    std::string source;   ///< paper and section, or empty
    WorksWith works_with = {};
    /// True if the preconditioner must be diagonal, in the number type of the
    /// solve.
    bool needs_diagonal                                            = false;
    std::tuple<CGMethodMaker<double>, CGMethodMaker<float>> makers = {};

    template <class Number>
    const CGMethodMaker<Number> &
    maker() const
    {
      return std::get<CGMethodMaker<Number>>(makers);
    }

    /// Sets the functions of both number types to `make(A, M)` and `rank(A,
    /// M)`.
    template <class Make, class Rank>
    void
    made_by(const Make &make, const Rank &rank)
    {
      std::get<CGMethodMaker<double>>(makers) = {make, rank};
      std::get<CGMethodMaker<float>>(makers)  = {make, rank};
    }
  };

  extern template class Registry<CGMethodDescriptor>;

  /// Returns the names of the methods of all linked libraries, in alphabetical
  /// order.
  std::vector<std::string>
  cg_method_names();

  /// Returns the descriptor of a method. Throws ParameterError for an unknown
  /// name, with the legal ones.
  const CGMethodDescriptor &
  cg_method_descriptor(const std::string &name);

  /// Returns the names of the methods for which `property(descriptor)` is true.
  template <class Property>
  std::vector<std::string>
  cg_methods_where(const Property &property)
  {
    std::vector<std::string> names;
    for (const auto &d : Registry<CGMethodDescriptor>::all())
      if (property(d))
        names.push_back(d.name);
    return names;
  }

  /// Returns the name of the method that suits an operator and a preconditioner
  /// best. If A is one of several parts, only methods that work in several
  /// processes are considered.
  template <class Number>
  std::string
  choose_cg_method(const Operator<Number> &A,
                   const Preconditioner<Number> &preconditioner);
} // namespace tessera
