#include <tessera/base/names.h>
#include <tessera/forms/advection_diffusion.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/descriptor.h>

#include "cases.h"
#include "linked.h"

// Cell matrices in float, and what cannot be stored. Products are compared with
// the oracle together with all other operators.
namespace tessera
{
  using namespace test;

  namespace
  {
    std::string
    sentence_of(const std::function<void()> &work)
    {
      try
        {
          work();
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "no error";
    }
  } // namespace

  TEST(LocalMatrices, FloatUnderDouble)
  {
    for (const Backend backend : backends())
      for (const std::string &name :
           linked({"local_matrices_symmetric", "local_matrices_zero_sums"}))
        for (const CellType type :
             {CellType::quadrilateral, CellType::hexahedron})
          for (const int degree : test::degrees(type, 2))
            {
              const auto cells = std::make_shared<const CellData<double>>(
                distorted_boxes(type, degree), backend);
              const Form form = laplace(anisotropic(dimension(type)));
              AssemblyOptions options;
              options.storage["Cell matrix values"] = "float";
              if (backend == Backend::host)
                {
                  EXPECT_NE(sentence_of([&]() {
                              make_operator<double>(name, cells, form, options);
                            }).find("on the host legal is number"),
                            std::string::npos);
                  continue;
                }
              const auto whole  = product<double>(name, cells, form);
              const auto halved = product<double>(name, cells, form, options);
              double difference = 0, size = 0;
              for (std::size_t i = 0; i < whole.size(); ++i)
                {
                  difference =
                    std::max(difference, std::abs(whole[i] - halved[i]));
                  size = std::max(size, std::abs(whole[i]));
                }
              EXPECT_GT(difference, 0) << name;
              EXPECT_LT(difference, 1e-6 * size) << name;
              const auto A = make_operator<double>(name, cells, form, options);
              const auto B = make_operator<double>(name, cells, form);
              EXPECT_EQ(A->precision().eps, precision_of<float>().eps);
              EXPECT_EQ(A->name(), name);
              EXPECT_LT(A->traffic().stored, B->traffic().stored);
              EXPECT_EQ(
                sentence_of([&]() {
                  make_operator<double>(
                    name, cells, laplace(Coefficient::scalar(1e200)), options);
                })
                  .rfind("A cell matrix has a value beyond the largest float",
                         0),
                0u);
            }
  }

  TEST(LocalMatrices, WhatCannotBeIsSaid)
  {
    for (const Backend backend : backends())
      {
        const auto quadratic = std::make_shared<const CellData<double>>(
          distorted_boxes(CellType::quadrilateral, 2), backend);
        const Form advection =
          advection_diffusion({Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}});
        for (const std::string &name :
             linked({"ebe_symmetric", "local_matrices_gathered",
                     "local_matrices_symmetric", "local_matrices_zero_sums"}))
          EXPECT_NE(sentence_of([&]() {
                      make_operator<double>(name, quadratic, advection);
                    }).find("is for symmetric forms"),
                    std::string::npos)
            << name;
        if (is_linked("local_matrices_zero_sums"))
          EXPECT_EQ(
            sentence_of([&]() {
              make_operator<double>(
                "local_matrices_zero_sums", quadratic,
                reaction_diffusion(
                  {Coefficient::Kind::uniform, 4, {1, 0, 1, 1}}));
            }),
            "The operator local_matrices_zero_sums is for symmetric forms that "
            "map constants to zero, whose cell matrices have rows that add up "
            "to zero, which reaction_diffusion is not one of; legal with it "
            "are " +
              list_of(names_where([](const auto &d) {
                return d.name != "local_matrices_zero_sums";
              })) +
              '.');
        // The library that is watched has no elasticity of degree 3 at all.
        const auto cubic = std::make_shared<const CellData<double>>(
          distorted_boxes(CellType::quadrilateral, 3), backend);
        for (const std::string &name :
             names_where([](const auto &d) { return !d.stores_rows(); }))
          if (!descriptor(name).stores_nothing)
            {
              const std::string sentence = sentence_of([&]() {
                make_operator<double>(
                  name, cubic, elasticity(isotropic_stiffness(2, 1, 0.3)));
              });
              EXPECT_NE(sentence.find(is_watched() ? "is not compiled for"
                                                   : "has kernels for one "
                                                     "component"),
                        std::string::npos)
                << name << ": " << sentence;
            }
      }
  }
} // namespace tessera
