#include <tessera/base/error.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>

#include "problems.h"
#include "test.h"

// Tests what methods of conjugate gradients say about themselves.
using namespace tessera;

namespace
{
  /// Parts of which the others have nothing.
  template <class Number>
  Parts<Number>
  several_parts()
  {
    return {std::make_shared<const Communicator>(),
            std::make_shared<const HomogeneousTail<Number>>()};
  }
} // namespace

TEST(CGMethodDescriptor, SaysWhatItWorksWith)
{
  for (const Backend backend : test::backends())
    for (const std::string op : {"csr", "matrix_free"})
      {
        const auto A = test::make_operator_on<double>(
          backend, op, test::unstructured_mesh(1, 1));
        for (const std::string preconditioner : {"jacobi", "chebyshev"})
          for (const std::string &name : cg_method_names())
            {
              SCOPED_TRACE(to_string(backend) + ", " + op + ", " +
                           preconditioner + ", " + name);
              const CGMethodDescriptor &d = cg_method_descriptor(name);
              EXPECT_EQ(d.name, name);
              EXPECT_NE(d.sentence, "");
              const auto M     = make_preconditioner(preconditioner, *A);
              const bool works = d.works_with.reads(descriptor(op)) &&
                                 d.works_with.is_for(backend) &&
                                 (!d.needs_diagonal || M->inverse_diagonal());
              const auto make = [&]() { CG<double>(*A, *M, name); };
              if (works)
                EXPECT_NO_THROW(make());
              else
                EXPECT_THROW(make(), ParameterError);
              A->set_parts(several_parts<double>());
              if (works && d.works_with.several_processes)
                EXPECT_NO_THROW(make());
              else
                EXPECT_THROW(make(), ParameterError);
              A->set_parts({});
            }
      }
}

TEST(CGMethodDescriptor, TheOneThatSuitsIsChosen)
{
  for (const Backend backend : test::backends())
    {
      const bool device = backend == Backend::cuda;
      const auto small  = test::make_operator_on<float>(
        backend, "csr", test::unstructured_mesh(1, 1));
      const auto cells = test::make_operator_on<float>(
        backend, "matrix_free", test::unstructured_mesh(1, 1));
      const auto jacobi = make_preconditioner("jacobi", *small);
      EXPECT_EQ(choose_cg_method(*small, *jacobi),
                device ? "single_reduction" : "classical");
      EXPECT_EQ(choose_cg_method(*cells, *jacobi),
                device ? "single_reduction" : "classical");
      EXPECT_EQ(
        choose_cg_method(*cells, *make_preconditioner("neumann", *cells)),
        "classical");
    }
}

TEST(CGMethodDescriptor, UnknownNamesAreRefusedWithTheLegalOnes)
{
  try
    {
      cg_method_descriptor("pipelined");
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(std::string(error.what()),
                "The method 'pipelined' does not exist; it is classical or "
                "single_reduction.");
    }
}
