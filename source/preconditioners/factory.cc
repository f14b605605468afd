#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/block_jacobi.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/preconditioners/none.h>
#include <tessera/preconditioners/polynomial.h>
#include <tessera/preconditioners/ssor.h>

#include <stdexcept>

namespace tessera
{
  namespace
  {
    enum class Name
    {
#define TESSERA_PRECONDITIONER(name, sentence, paper) name,
#include <tessera/preconditioners/preconditioners.def>
#undef TESSERA_PRECONDITIONER
    };

    Name
    find(const std::string &name)
    {
      return static_cast<Name>(
        index_of_name(name, preconditioner_names(), "preconditioner"));
    }
  } // namespace

  std::vector<std::string>
  preconditioner_names()
  {
    return {
#define TESSERA_PRECONDITIONER(name, sentence, paper) #name,
#include <tessera/preconditioners/preconditioners.def>
#undef TESSERA_PRECONDITIONER
    };
  }

  std::vector<std::string>
  plain_preconditioner_names()
  {
    auto names = preconditioner_names();
    names.erase(names.begin() + static_cast<int>(Name::multigrid));
    return names;
  }

  std::vector<std::string>
  operators_of_preconditioner(const std::string &name)
  {
    if (find(name) == Name::block_jacobi)
      {
        auto names = row_operator_names();
        names.push_back(auto_operator);
        return names;
      }
    if (find(name) != Name::ssor)
      return operator_choices();
    auto names = names_where(
      [](const auto &d) { return !d.stores_nothing && !d.hides_entries; });
    names.push_back(auto_operator);
    return names;
  }

  bool
  is_diagonal(const std::string &name)
  {
    const Name which = find(name);
    return which == Name::none || which == Name::jacobi;
  }

  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const PreconditionerOptions &options, const Stream stream)
  {
    const auto polynomial = [&](const PolynomialKind kind) {
      return std::make_unique<Polynomial<Number>>(
        A,
        PolynomialOptions{kind, options.degree, options.eigenvalue_steps, 0,
                          options.all},
        stream);
    };
    switch (find(name))
      {
        case Name::none:
          return std::make_unique<None<Number>>(A);
        case Name::jacobi:
          return std::make_unique<Jacobi<Number>>(A, stream);
        case Name::block_jacobi:
          return std::make_unique<BlockJacobi<Number>>(
            A,
            options.block_rows > 0 ? options.block_rows : options.n_components,
            stream,
            std::get<std::shared_ptr<const Tail<Number>>>(options.tails).get());
        case Name::ssor:
          return std::make_unique<Ssor<Number>>(A, options.relaxation, stream,
                                                options.all != nullptr);
        case Name::neumann:
          return polynomial(PolynomialKind::neumann);
        case Name::least_squares:
          return polynomial(PolynomialKind::least_squares);
        case Name::chebyshev:
          return polynomial(PolynomialKind::chebyshev);
        case Name::multigrid:
          if (options.levels == nullptr)
            throw ParameterError(
              "The preconditioner 'multigrid' needs levels, which are made "
              "from a matrix beforehand; legal here is " +
              list_of(plain_preconditioner_names()) + '.');
          return std::make_unique<Multigrid<Number>>(A, *options.levels,
                                                     options.multigrid, stream);
      }
    throw std::logic_error("make_preconditioner: a name without a case");
  }

  template std::unique_ptr<Preconditioner<double>>
  make_preconditioner<double>(const std::string &, const Operator<double> &,
                              const PreconditionerOptions &, Stream);
  template std::unique_ptr<Preconditioner<float>>
  make_preconditioner<float>(const std::string &, const Operator<float> &,
                             const PreconditionerOptions &, Stream);
} // namespace tessera
