#include <tessera/assembly/strategy.h>
#include <tessera/base/registry_definitions.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/program/choices.h>
#include <tessera/solvers/cg_method.h>
#include <tessera/space/numbering.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace tessera
{
  template class Registry<Choices>;

  namespace
  {
    std::string
    limits(const NumberingDescriptor &)
    {
      return "";
    }

    std::string
    limits(const StrategyDescriptor &)
    {
      return "";
    }

    /// Returns the end of a sentence that says what something does not work
    /// with.
    template <class Descriptor>
    std::string
    limits(const Descriptor &d)
    {
      const std::string text = d.works_with.limits();
      return text.empty() ? "" : "; " + text;
    }

    /// Returns what the linked libraries register of a kind.
    template <class Descriptor>
    std::vector<Choice>
    registered()
    {
      std::vector<Choice> result;
      for (const Descriptor &d : Registry<Descriptor>::all())
        result.push_back({d.name, d.sentence + limits(d), d.source});
      return result;
    }

    /// Returns the routes by which some linked operator is assembled.
    std::vector<Choice>
    routes()
    {
      const std::vector<Choice> known = {
#define TESSERA_ROUTE(name, sentence, source) {#name, sentence, source},
#include <tessera/assembly/routes.def>
#undef TESSERA_ROUTE
      };
      std::vector<Choice> result;
      for (const Choice &route : known)
        if (!names_where([&](const OperatorDescriptor &op) {
               const auto legal = legal_routes(op.name);
               return std::count(legal.begin(), legal.end(),
                                 route_from_string(route.name)) > 0;
             }).empty())
          result.push_back(route);
      return result;
    }

    const std::vector<Choices> &
    all()
    {
      static const std::vector<Choices> lists = {
        {"operator", registered<OperatorDescriptor>()},
        {"strategy", registered<StrategyDescriptor>()},
        {"route", routes()},
        {"conflict",
         {
#define TESSERA_CONFLICT(name, sentence, source) {#name, sentence, source},
#include <tessera/space/conflicts.def>
#undef TESSERA_CONFLICT
         }},
        {"preconditioner", registered<PreconditionerDescriptor>()},
        {"method", registered<CGMethodDescriptor>()},
        {"stopping norm",
         {
#define TESSERA_STOPPING_NORM(name, sentence) {#name, sentence, ""},
#include <tessera/solvers/stopping_norms.def>
#undef TESSERA_STOPPING_NORM
         }},
        {"numbering", registered<NumberingDescriptor>()},
        {"cell order",
         {
#define TESSERA_CELL_ORDER(name, sentence) {#name, sentence, ""},
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
         }},
        {"geometry",
         {
#define TESSERA_GEOMETRY(name, sentence) {#name, sentence, ""},
#include <tessera/space/geometries.def>
#undef TESSERA_GEOMETRY
         }},
        {"backend",
         {{"auto", "the device if there is one, otherwise the host", ""},
          {"host", "OpenMP threads and SIMD", ""},
          {"cuda", "one CUDA device", ""}}}};
      return lists;
    }
  } // namespace


  std::string
  Choices::selection() const
  {
    std::string result;
    for (const Choice &choice : choices)
      result += (result.empty() ? "" : "|") + choice.name;
    return result;
  }


  const Choices &
  choices(const std::string &kind)
  {
    for (const Choices &candidate : all())
      if (candidate.name == kind)
        return candidate;
    throw std::out_of_range("no list of choices \"" + kind + "\"");
  }


  void
  list_choices(std::ostream &out)
  {
    std::vector<Choices> kinds = all();
    kinds.insert(kinds.end(), Registry<Choices>::all().begin(),
                 Registry<Choices>::all().end());
    for (const Choices &kind : kinds)
      {
        out << kind.name << '\n';
        for (const Choice &choice : kind.choices)
          out << "  " << choice.name << ": " << choice.sentence
              << (choice.source.empty() ? "" : " [" + choice.source + "]")
              << '\n';
      }
  }
} // namespace tessera
