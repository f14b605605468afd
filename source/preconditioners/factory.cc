#include <tessera/base/names.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/preconditioners/none.h>

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

  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const Stream stream)
  {
    switch (static_cast<Name>(
      index_of_name(name, preconditioner_names(), "preconditioner")))
      {
        case Name::none:
          return std::make_unique<None<Number>>(A);
        case Name::jacobi:
          return std::make_unique<Jacobi<Number>>(A, stream);
      }
    throw std::logic_error("make_preconditioner: a name without a case");
  }

  template std::unique_ptr<Preconditioner<double>>
  make_preconditioner<double>(const std::string &, const Operator<double> &,
                              Stream);
  template std::unique_ptr<Preconditioner<float>>
  make_preconditioner<float>(const std::string &, const Operator<float> &,
                             Stream);
} // namespace tessera
