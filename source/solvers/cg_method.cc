#include <tessera/base/names.h>
#include <tessera/base/registry_definitions.h>

#include <iterator>

#include "cg_recurrence.h"

namespace tessera
{
  template class Registry<CGMethodDescriptor>;

  std::vector<std::string>
  cg_method_names()
  {
    return cg_methods_where([](const auto &) { return true; });
  }

  const CGMethodDescriptor &
  cg_method_descriptor(const std::string &name)
  {
    return *std::next(Registry<CGMethodDescriptor>::all().begin(),
                      index_of_name(name, cg_method_names(), "method"));
  }

  template <class Number>
  std::string
  choose_cg_method(const Operator<Number> &A,
                   const Preconditioner<Number> &preconditioner)
  {
    const bool is_diagonal = preconditioner.inverse_diagonal() != nullptr;
    std::string best;
    int highest = 0;
    for (const auto &d : Registry<CGMethodDescriptor>::all())
      if ((is_diagonal || !d.needs_diagonal) &&
          (!A.parts().are_several() || d.works_with.several_processes) &&
          d.works_with.is_for(A.backend()))
        if (const int rank = d.maker<Number>().rank(A, preconditioner);
            rank > highest)
          {
            best    = d.name;
            highest = rank;
          }
    return best;
  }

  template std::string
  choose_cg_method<double>(const Operator<double> &,
                           const Preconditioner<double> &);
  template std::string
  choose_cg_method<float>(const Operator<float> &,
                          const Preconditioner<float> &);
} // namespace tessera
