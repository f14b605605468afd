#include "boundary_problem.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/boundary_conditions.h>

#include <gtest/gtest.h>

#include <set>

namespace
{
  using namespace tessera;
  using test::Declared;
  using test::Problem;
  using test::root;

  class BoundaryErrors : public testing::Test
  {
  public:
    using C = test::Cells<CellType::quadrilateral>;

    /// Returns exit code and sentence, or "" if there is no error.
    static std::string
    error_of(const Parameters &parameters)
    {
      try
        {
          Problem<C> problem(2);
          problem.mesh.boundary_names["left"]  = {0};
          problem.mesh.boundary_names["far"]   = {9};
          problem.mesh.boundary_names["sides"] = {2, 3};
          const BoundaryConditions<2> boundary(parameters);
          boundary.check(problem.mesh);
          boundary.constraints(problem.mesh,
                               {*problem.mapping, problem.dof_handler});
          boundary.faces(problem.mesh, {*problem.mapping, problem.dof_handler});
        }
      catch (const Error &error)
        {
          return std::to_string(static_cast<int>(error.exit_code())) + ' ' +
                 error.what();
        }
      return "";
    }

    static void
    expect(const Parameters &parameters, const std::string &part)
    {
      const std::string error = error_of(parameters);
      EXPECT_NE(error.find(part), std::string::npos) << error;
      EXPECT_EQ(error.back(), '.');
    }
  };


  TEST_F(BoundaryErrors, EveryBoundaryHasOneConditionThatExists)
  {
    Declared<2> parameters;
    expect(parameters,
           "3 The boundary 0 of the test mesh, which has 0 ('left'"
           "), 1, 2 ('sides'), 3 ('sides'), is not covered");
    parameters.add("Dirichlet 8", "left");
    parameters.add("Neumann 1", "1, 2");
    expect(parameters, "3 The boundary 3 of the test mesh");
    parameters.add("Robin 8", "3");
    EXPECT_EQ(error_of(parameters), "");
    parameters.add("Robin 7", "2");
    expect(parameters,
           "3 The boundary '2' is claimed by 'Boundary conditions/"
           "Neumann 1' and by 'Boundary conditions/Robin 7'");
    parameters.add("Robin 7", "right");
    expect(parameters,
           "3 The boundary 'right' of 'Boundary conditions/Robin "
           "7/Boundaries' does not exist; the test mesh has 0 "
           "('left'), 1, 2 ('sides'), 3 ('sides').");
    parameters.add("Robin 7", "far");
    expect(parameters, "3 The boundary 'far' of");
    parameters.add("Robin 7", "0");
    expect(parameters, "3 The boundary '0' is claimed");
    parameters.add("Robin 7", "");
    parameters.add("Robin 8", "sides");
    expect(parameters, "3 The boundary 'sides' (there its id 2) is claimed by");
    parameters.add("Neumann 1", "1");
    EXPECT_EQ(error_of(parameters), "");
  }


  TEST_F(BoundaryErrors, SomethingFixesTheValue)
  {
    Declared<2> parameters;
    parameters.set(root + "Remaining boundaries", "natural");
    expect(parameters, "3 There is no Dirichlet boundary and no Robin");
    parameters.add("Robin 1", "0", "0", "0");
    expect(parameters, "3 There is no Dirichlet boundary and no Robin");
    parameters.add("Robin 1", "0", "0", "if(y > 0.5, y, 0)");
    EXPECT_EQ(error_of(parameters), "");

    Problem<C> problem(1);
    parameters.add("Robin 2", "1", "0", "0");
    parameters.add("Dirichlet 3", "3");
    EXPECT_EQ(BoundaryConditions<2>(parameters).fixed_boundaries(problem.mesh),
              (std::set<dealii::types::boundary_id>{0, 3}));
  }


  TEST_F(BoundaryErrors, ValuesAreFiniteAndAlphaIsNotNegative)
  {
    Declared<2> parameters;
    parameters.set(root + "Remaining boundaries", "natural");
    parameters.add("Dirichlet 1", "1", "sqrt(-x)");
    expect(parameters,
           "2 The expression of 'Boundary conditions/Dirichlet 1/"
           "Function expression' is not a finite number at x = ");
    parameters.add("Dirichlet 1", "1");
    parameters.add("Neumann 5", "2", "1 / 0");
    expect(parameters,
           "2 The expression of 'Boundary conditions/Neumann 5/"
           "Function expression' is not a finite number.");
    parameters.add("Neumann 5", "2", "x");
    parameters.add("Robin 1", "3", "x", "-0.1");
    expect(parameters,
           "2 The value -0.1 of 'Boundary conditions/Robin 1/"
           "Coefficient expression' is negative; legal");
    parameters.add("Robin 1", "3", "x", "x - 0.5");
    expect(parameters, "is negative at x = ");
    parameters.add("Robin 1", "3", "x", "x; 1");
    expect(parameters,
           "2 The expression 'x; 1' of 'Boundary conditions/Robin "
           "1/Coefficient expression' has 2 components");
  }
} // namespace
