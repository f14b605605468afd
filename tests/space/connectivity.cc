#include "meshes.h"
#include "test.h"

#include <tessera/base/error.h>

#include <cmath>
#include <functional>
#include <string>

using namespace tessera;

namespace
{
  /// Expects the mesh to be refused with the exit code of meshes, in a sentence
  /// that contains `words`.
  void
  expect_refused(const std::function<void(Connectivity &)> &damage,
                 const std::string &words)
  {
    Connectivity mesh = test::generated_mesh(2, 4, 3);
    damage(mesh);
    try
      {
        mesh.check();
        FAIL() << "accepted; expected: " << words;
      }
    catch (const MeshError &error)
      {
        EXPECT_EQ(error.exit_code(), ExitCode::mesh);
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
          << error.what();
      }
    EXPECT_THROW(build_space(mesh), MeshError);
  }
} // namespace

TEST(Connectivity, GoodMeshesPass)
{
  for (int p = 1; p <= 4; ++p)
    {
      EXPECT_NO_THROW(test::generated_mesh(p, 1, 1).check());
      EXPECT_NO_THROW(test::unstructured_mesh(p).check());
    }
}

TEST(Connectivity, WrongSizes)
{
  expect_refused([](Connectivity &m) { m.cell_dofs.pop_back(); }, "cell_dofs");
  expect_refused([](Connectivity &m) { m.cell_vertices.pop_back(); },
                 "multiple of 4");
  expect_refused([](Connectivity &m) { m.vertices.push_back(0); }, "vertices");
  expect_refused([](Connectivity &m) { m.constrained.pop_back(); },
                 "constrained");
  expect_refused([](Connectivity &m) { m.degree = 0; }, "legal are 1 to 4");
  expect_refused(
    [](Connectivity &m) {
      m.cell_dofs.clear();
      m.cell_vertices.clear();
    },
    "no cells");
}

TEST(Connectivity, IndicesOutOfRangeNameTheFirstCell)
{
  expect_refused(
    [](Connectivity &m) {
      m.cell_dofs[9 * 5 + 4] = m.n_dofs;
      m.cell_dofs[9 * 7]     = -1;
    },
    "Cell 5 has a degree of freedom");
  expect_refused([](Connectivity &m) { m.cell_vertices[4 * 3 + 2] = -1; },
                 "Cell 3 has a vertex");
}

TEST(Connectivity, InvertedAndDegenerateCells)
{
  expect_refused(
    [](Connectivity &m) {
      std::swap(m.cell_vertices[4 * 6], m.cell_vertices[4 * 6 + 1]);
      std::swap(m.cell_vertices[4 * 6 + 2], m.cell_vertices[4 * 6 + 3]);
    },
    "Cell 6 is inverted");
  expect_refused(
    [](Connectivity &m) { m.cell_vertices[4] = m.cell_vertices[5]; },
    "Cell 1 is inverted or degenerate");
  expect_refused([](Connectivity &m) { m.vertices[3] = std::nan(""); },
                 "not finite");
}

TEST(Connectivity, NothingFree)
{
  try
    {
      build_space(test::generated_mesh(1, 31, 1));
      FAIL();
    }
  catch (const MeshError &error)
    {
      EXPECT_EQ(error.exit_code(), ExitCode::mesh);
      EXPECT_NE(std::string(error.what()).find("All 64"), std::string::npos);
    }
}

TEST(Connectivity, DegreesOfFreedomWithoutCells)
{
  Connectivity mesh = test::generated_mesh(2, 4, 3);
  mesh.n_dofs += 3;
  mesh.constrained.resize(mesh.n_dofs, 0);
  try
    {
      build_space(mesh);
      FAIL();
    }
  catch (const MeshError &error)
    {
      EXPECT_NE(std::string(error.what()).find("3 of them belong to no cell"),
                std::string::npos)
        << error.what();
    }
}

TEST(Connectivity, LinearElementsHaveOneVertexADegreeOfFreedom)
{
  // The mesh is periodic in x: the last column of nodes is the first.
  Connectivity mesh = test::generated_mesh(1, 4, 3, false);
  for (int &dof : mesh.cell_dofs)
    dof = dof / 5 * 4 + dof % 5 % 4;
  mesh.n_dofs = 16;
  mesh.constrained.resize(16);
  EXPECT_NO_THROW(mesh.check());
  EXPECT_THROW(build_space(mesh), MeshError);
}
