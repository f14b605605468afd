#include "bytes.h"
#include "meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/space/partition.h>

#include <unistd.h>

#include <cstdio>
#include <string>

using namespace tessera;

namespace
{
  /// Provides a file that is removed at the end of the test.
  class SpaceFile : public testing::Test
  {
  protected:
    const std::string path =
      testing::TempDir() + "tessera_space_io_" + std::to_string(getpid());

    ~SpaceFile() override
    {
      std::remove(path.c_str());
    }

    void
    expect_refused(const std::string &words = "") const
    {
      try
        {
          read(path);
          FAIL() << "accepted";
        }
      catch (const MeshError &error)
        {
          EXPECT_EQ(error.exit_code(), ExitCode::mesh);
          EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
            << error.what();
          EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
        }
    }
  };

  void
  expect_equal(const Space &a, const Space &b)
  {
    EXPECT_EQ(a.degree, b.degree);
    EXPECT_EQ(a.numbering, b.numbering);
    EXPECT_EQ(a.cell_order, b.cell_order);
    EXPECT_EQ(a.block_side, b.block_side);
    EXPECT_EQ(a.n_interior_cells, b.n_interior_cells);
    EXPECT_EQ(a.n_owned, b.n_owned);
    EXPECT_EQ(a.n_constrained, b.n_constrained);
    EXPECT_EQ(a.n_ghosts, b.n_ghosts);
    EXPECT_EQ(a.cell_dofs, b.cell_dofs);
    EXPECT_EQ(a.cell_vertices, b.cell_vertices);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.mesh_cell, b.mesh_cell);
    EXPECT_EQ(a.mesh_dof, b.mesh_dof);
  }
} // namespace

TEST_F(SpaceFile, RoundTrip)
{
  for (int p = 1; p <= 4; ++p)
    {
      const Connectivity mesh = test::unstructured_mesh(p);
      for (const std::string &numbering : test::numberings)
        {
          const Space space =
            build_space(mesh, numbering, CellOrder::hilbert, p + 3);
          write(space, path);
          expect_equal(read(path), space);
        }

      std::vector<int> part(mesh.n_cells());
      for (std::size_t c = 0; c < part.size(); ++c)
        part[c] = c % 3 == 0;
      for (const Part &each : partition(mesh, part, 2))
        {
          write(each.space, path);
          expect_equal(read(path), each.space);
        }
    }
}

TEST_F(SpaceFile, TruncatedAtEveryLength)
{
  write(build_space(test::generated_mesh(2, 2, 1)), path);
  const std::string whole = test::load_bytes(path);
  for (std::size_t length = 0; length < whole.size(); ++length)
    {
      test::store_bytes(path, whole.substr(0, length));
      expect_refused();
    }
  test::store_bytes(path, whole + '\0');
  expect_refused();
}

TEST_F(SpaceFile, EveryFlippedBit)
{
  write(build_space(test::generated_mesh(2, 2, 1)), path);
  const std::string whole = test::load_bytes(path);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit)
      {
        std::string damaged = whole;
        damaged[at] ^= char(1 << bit);
        test::store_bytes(path, damaged);
        expect_refused();
      }
}

TEST_F(SpaceFile, IndicesOutOfRangeWithARightChecksum)
{
  Space space        = build_space(test::generated_mesh(2, 3, 2));
  const auto refused = [&](int &entry, const int value) {
    const int before = std::exchange(entry, value);
    write(space, path);
    expect_refused("index is out of range");
    entry = before;
  };
  refused(space.cell_dofs[7], space.padding_index());
  refused(space.cell_dofs[7], -1);
  refused(space.cell_vertices[3], int(space.vertices.size() / 2));
  refused(space.mesh_cell[1], -1);
  refused(space.mesh_dof[1], -5);
  write(space, path);
  EXPECT_NO_THROW(read(path));
}

TEST_F(SpaceFile, BlockSidesThatAreNotLegal)
{
  Space space = build_space(test::generated_mesh(2, 3, 2));
  for (const int side : {0, -1, max_block_side + 1})
    {
      space.block_side = side;
      write(space, path);
      expect_refused("counts are out of range");
    }
}

TEST_F(SpaceFile, OtherFiles)
{
  expect_refused("cannot be opened");
  test::store_bytes(path, std::string(1000, 'x'));
  expect_refused("not a space file");
  write(build_space(test::generated_mesh(2, 3, 2)), path);
  std::string other = test::load_bytes(path);
  other[12]         = 1;
  test::store_bytes(path, other);
  expect_refused("version 1, legal is 4");
}

TEST_F(SpaceFile, ConstraintsOfComponentsAndHangingNodes)
{
  Connectivity mesh = test::generated_mesh(2, 3, 2, false);
  mesh.n_components = 2;
  mesh.constrained.assign(2 * mesh.n_dofs, 0);
  mesh.constrained[7] = mesh.constrained[20] = mesh.constrained[21] = 1;
  for (const int entry : {9, 8})
    {
      mesh.hanging.begin(entry);
      mesh.hanging.add(entry % 2, 0.25);
      mesh.hanging.add(12 + entry % 2, 0.75);
    }
  const Space space = build_space(mesh);
  ASSERT_EQ(space.fixed.size(), 1u);
  ASSERT_EQ(space.n_hanging, 1);
  ASSERT_EQ(space.n_constrained, 1);
  write(space, path);
  const Space found = read(path);
  EXPECT_EQ(found.n_components, 2);
  EXPECT_EQ(found.n_hanging, 1);
  EXPECT_EQ(found.fixed, space.fixed);
  EXPECT_EQ(found.hanging.entry, space.hanging.entry);
  EXPECT_EQ(found.hanging.start, space.hanging.start);
  EXPECT_EQ(found.hanging.source, space.hanging.source);
  EXPECT_EQ(found.hanging.weight, space.hanging.weight);

  Space damaged    = space;
  damaged.fixed[0] = 2 * space.n_stored();
  write(damaged, path);
  expect_refused("constraint");
  damaged                  = space;
  damaged.hanging.start[1] = 3;
  damaged.hanging.start[2] = 2;
  write(damaged, path);
  expect_refused("constraint");
}

TEST_F(SpaceFile, WritingKeepsTheOldFileWhereItFails)
{
  const Space space = build_space(test::generated_mesh(2, 3, 2));
  EXPECT_THROW(write(space, path + "/no/such/folder"), Error);
  write(space, path);
}
