#include <tessera/base/vector.h>
#include <tessera/space/ghost_tail.h>
#include <tessera/space/partition.h>

#include <cstring>
#include <map>
#include <utility>

#include "exchange.h"
#include "meshes.h"
#include "test.h"

// The tails of all parts of a mesh in one process. Messages wait in boxes: what
// a part has sent is there as soon as another one looks for it.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// The last message from one part to another, by channel.
    using Boxes = std::map<std::pair<int, int>, std::vector<char>>;

    std::vector<char>
    bytes_at(const Backend backend, const void *const from, const std::size_t n)
    {
      std::vector<char> bytes(n);
      if (n > 0 && backend == Backend::cuda)
        runtime::copy(bytes.data(), from, n, runtime::Copy::device_to_host);
      else if (n > 0)
        std::memcpy(bytes.data(), from, n);
      return bytes;
    }

    class BoxChannel : public Channel
    {
    public:
      BoxChannel(Boxes &boxes, const int self, const Backend backend,
                 const Envelopes &out, const Envelopes &in,
                 const std::size_t bytes)
        : boxes(boxes), self(self), backend(backend), out(out), in(in),
          bytes(bytes)
      {}

      void
      begin(const void *const from, void *const to,
            const Stream stream) override
      {
        if (backend == Backend::cuda)
          runtime::synchronize(stream);
        target = static_cast<char *>(to);
        for (std::size_t k = 0; k < out.part.size(); ++k)
          boxes[{self, out.part[k]}] = bytes_at(
            backend, static_cast<const char *>(from) + bytes * out.start[k],
            bytes * (out.start[k + 1] - out.start[k]));
      }

      void
      finish(Stream) override
      {
        for (std::size_t k = 0; k < in.part.size(); ++k)
          {
            const std::vector<char> &box = boxes[{in.part[k], self}];
            const std::size_t n = bytes * (in.start[k + 1] - in.start[k]);
            if (box.size() != n)
              continue; // nothing was sent yet
            if (backend == Backend::cuda)
              runtime::copy(target + bytes * in.start[k], box.data(), n,
                            runtime::Copy::host_to_device);
            else
              std::memcpy(target + bytes * in.start[k], box.data(), n);
          }
      }

    private:
      Boxes &boxes;
      int self;
      Backend backend;
      Envelopes out, in;
      std::size_t bytes;
      char *target = nullptr;
    };

    class BoxTransport : public Transport
    {
    public:
      /// The first channel of a part is for imports, the second for exports.
      BoxTransport(Boxes (&boxes)[2], const int self, const Backend backend)
        : boxes(boxes), self(self), backend(backend)
      {}

      std::unique_ptr<Channel>
      open(const Envelopes &out, const Envelopes &in,
           const std::size_t bytes) const override
      {
        return std::make_unique<BoxChannel>(boxes[n_open++ % 2], self, backend,
                                            out, in, bytes);
      }

      std::string
      name() const override
      {
        return "boxes";
      }

    private:
      Boxes (&boxes)[2];
      int self;
      Backend backend;
      mutable int n_open = 0;
    };

    template <class Number>
    void
    check(const Backend backend, const int n_parts, const int n_components)
    {
      Connectivity mesh = unstructured_mesh(2, 1);
      mesh.n_components = n_components;
      mesh.constrained.assign(mesh.n_dofs * n_components, 0);
      std::vector<int> part(mesh.n_cells());
      for (std::size_t c = 0; c < part.size(); ++c)
        part[c] = static_cast<int>((c / 5 * 7 + c % 2) % n_parts);
      const std::vector<Part> parts = partition(mesh, part, n_parts);

      Boxes boxes[2];
      std::vector<std::unique_ptr<GhostTail<Number>>> tails;
      std::vector<Vector<Number>> x, y;
      const auto value = [&](const int p, const int i) {
        const int node = parts[p].space.mesh_dof[i / n_components];
        return Number(1 + n_components * node + i % n_components);
      };
      for (int p = 0; p < n_parts; ++p)
        {
          const Space &space = parts[p].space;
          tails.push_back(std::make_unique<GhostTail<Number>>(
            space, agreed(parts, p), BoxTransport(boxes, p, backend), backend));
          const int owned = space.n_owned * n_components;
          x.emplace_back(backend, owned, space.n_tail() * n_components);
          y.emplace_back(backend, owned, space.n_tail() * n_components);
          std::vector<Number> values(x[p].size(), Number(0));
          for (int i = 0; i < owned; ++i)
            values[i] = value(p, i);
          x[p].copy_from(values);
        }
      for (int p = 0; p < n_parts; ++p)
        tails[p]->begin_import(x[p], {});
      for (int p = 0; p < n_parts; ++p)
        {
          tails[p]->finish_import(x[p], {});
          const std::vector<Number> imported = x[p].to_vector();
          const int n_ghosts = parts[p].space.n_ghosts * n_components;
          for (int i = 0; i < x[p].n_owned() + n_ghosts; ++i)
            ASSERT_EQ(imported[i], value(p, i)) << "entry " << i;
          for (std::size_t i = x[p].n_owned() + n_ghosts; i < imported.size();
               ++i)
            ASSERT_EQ(imported[i], Number(0)) << "entry " << i;
        }

      // Part p adds p + 1 at all of its nodes, twice: what all have sent is
      // there the second time.
      std::vector<Number> sums(mesh.n_dofs * n_components, Number(0));
      for (int p = 0; p < n_parts; ++p)
        for (int i = 0; i < x[p].size() - n_components; ++i)
          sums[static_cast<int>(value(p, i)) - 1] += Number(p + 1);
      for (int turn = 0; turn < 2; ++turn)
        for (int p = 0; p < n_parts; ++p)
          {
            y[p].copy_from(std::vector<Number>(y[p].size(), Number(p + 1)));
            tails[p]->export_add(y[p], {});
          }
      for (int p = 0; p < n_parts; ++p)
        {
          const std::vector<Number> exported = y[p].to_vector();
          for (int i = 0; i < y[p].n_owned(); ++i)
            ASSERT_EQ(exported[i], sums[static_cast<int>(value(p, i)) - 1])
              << "part " << p << ", entry " << i;
        }
    }
  } // namespace

  TEST(GhostTail, PartsOfOneProcess)
  {
    for (const Backend backend : backends())
      for (const int n_parts : {1, 2, 3, 5})
        for (const int n_components : {1, 2, 3})
          {
            SCOPED_TRACE(to_string(backend) + ", " + std::to_string(n_parts) +
                         " parts, " + std::to_string(n_components) +
                         " components");
            check<double>(backend, n_parts, n_components);
            check<float>(backend, n_parts, n_components);
          }
  }
} // namespace tessera
