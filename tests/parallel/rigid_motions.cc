#include "rigid_motions.h"

#include <tessera/base/error.h>
#include <tessera/fem/driver/discretization.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include "division_of_test.h"
#include "test.h"

// These tests run in several processes (mpirun), each of which knows a part of
// a body.
namespace tessera
{
  namespace
  {

    /// A square whose motion is held at single nodes of own cells.
    struct Square
    {
      Mesh<2> mesh;
      std::unique_ptr<DistributedMesh<2>> distributed;
      dealii::DoFHandler<2> dof_handler;
      dealii::AffineConstraints<double> held;

      Square()
      {
        Parameters parameters;
        declare_discretization(parameters, true);
        parameters.set("Mesh/Initial refinement", "4");
        distributed = DistributedMesh<2>::make(mesh, parameters, 0, division());
        dof_handler.reinit(mesh.triangulation());
        dof_handler.distribute_dofs(dealii::FESystem<2>(dealii::FE_Q<2>(1), 2));
      }

      /// Holds components of the first node or the last one of all own cells.
      void
      hold(const std::vector<int> &components, const bool last)
      {
        dealii::DoFHandler<2>::active_cell_iterator found;
        for (const auto &cell : dof_handler.active_cell_iterators())
          if (is_own(division(), cell) &&
              (last || found.state() != dealii::IteratorState::valid))
            found = cell;
        for (const int c : components)
          held.add_line(found->vertex_dof_index(last ? 3 : 0, c));
      }

      void
      check()
      {
        held.close();
        check_rigid_motions(
          mesh, {*mesh.make_mapping(1), dof_handler, division()}, held);
      }
    };
  } // namespace


  TEST(RigidMotionsOfParts, SupportsOfAllProcessesHoldABody)
  {
    Square square;
    if (division().rank() == 0)
      square.hold({0, 1}, false);
    if (is_last())
      square.hold({0}, true);
    EXPECT_NO_THROW(square.check());
  }


  TEST(RigidMotionsOfParts, ABodyThatIsNotHeldIsASentenceOfAll)
  {
    Square square;
    if (is_last())
      square.hold({0, 1}, true);
    try
      {
        square.check();
        ADD_FAILURE() << "no error";
      }
    catch (const MeshError &error)
      {
        const std::string what = error.what();
        EXPECT_NE(what.find(" can turn about the point ("), std::string::npos)
          << what;
        EXPECT_TRUE(division().processes().agree_on(what));
      }
  }
} // namespace tessera
