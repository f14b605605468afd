#include <tessera/assembly/strategy.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/registry_definitions.h>

#include <type_traits>

namespace tessera
{
  template class Registry<StrategyDescriptor>;
  template class Registry<FormStrategy>;

  namespace
  {
    StrategyDescriptor
    describe_local_reuse()
    {
      return {default_strategy,
              "computes the metric at all quadrature points of a cell once and "
              "keeps it, then computes entry by entry",
              "RegulyGiles2015, sections 4.1 and 10.1"};
    }

    const Registration<StrategyDescriptor> local_reuse_registration(
      describe_local_reuse);
  } // namespace

  std::vector<std::string>
  strategy_names()
  {
    std::vector<std::string> names;
    for (const auto &d : Registry<StrategyDescriptor>::all())
      names.push_back(d.name);
    return names;
  }

  void
  check_strategy(const std::string &name)
  {
    index_of_name(name, strategy_names(), "assembly strategy");
  }

  template <class Number>
  const StrategyKernels<Number> &
  strategy_kernels(const CompiledForm &form, const std::string &strategy,
                   const Space &space, const std::string &what)
  {
    check_strategy(strategy);
    std::string number;
    for (const FormStrategy &each : Registry<FormStrategy>::all())
      if (each.name == form.name + ' ' + strategy)
        {
          const auto *const kernels = [&]() {
            if constexpr (std::is_same_v<Number, double>)
              return each.in_double;
            else
              return each.in_float;
          }();
          if (kernels == nullptr)
            {
              number =
                sizeof(Number) == sizeof(float) ? " in float" : " in double";
              break;
            }
          kernels->check(space, what);
          return *kernels;
        }
    throw ParameterError("The form " + form.name + " is not compiled for " +
                         what + number + '.');
  }

  template <class Number>
  const EntryKernels<Number> &
  entry_kernels(const CompiledForm &form, const std::string &strategy,
                const Space &space)
  {
    if (strategy == default_strategy)
      return form.kernels<Number>();
    return strategy_kernels<Number>(form, strategy, space,
                                    "the strategy " + strategy);
  }

#define INSTANTIATE(Number)                                         \
  template const StrategyKernels<Number> &strategy_kernels<Number>( \
    const CompiledForm &, const std::string &, const Space &,       \
    const std::string &);                                           \
  template const EntryKernels<Number> &entry_kernels<Number>(       \
    const CompiledForm &, const std::string &, const Space &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
