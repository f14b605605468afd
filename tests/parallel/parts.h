#pragma once

#include <tessera/parallel/messages.h>
#include <tessera/space/parts.h>

#include <memory>
#include <vector>

// The part of a mesh that a process has.
namespace tessera
{
  inline const Processes &
  processes()
  {
    static const Processes all;
    return all;
  }

  /// The transport of the host.
  inline const std::shared_ptr<const Transport> &
  transport()
  {
    static const auto result = make_transport(processes(), Backend::host);
    return result;
  }

  /// The part of this process. The cells of the mesh are dealt out in groups
  /// of five, so that most parts are neighbours, or in strips.
  struct Piece
  {
    explicit Piece(const Connectivity &mesh, const bool in_strips = false)
      : mesh(mesh)
    {
      std::vector<int> part(mesh.n_cells());
      const int n = processes().size();
      for (std::size_t c = 0; c < part.size(); ++c)
        part[c] = static_cast<int>(in_strips ? c * n / part.size()
                                             : (c / 5 * 2 + c % 2) % n);
      const Part mine = partition(mesh, part, n)[processes().rank()];
      space           = std::make_shared<const Space>(mine.space);
      shared          = processes().agree(mine.plans, mine.owned);
    }

    /// Also one process has a tail of ghosts.
    template <class Number>
    Parts<Number>
    parts() const
    {
      return {transport(), std::make_shared<const GhostTail<Number>>(
                             *space, shared, *transport(), Backend::host)};
    }

    std::shared_ptr<const OtherParts>
    others() const
    {
      return std::make_shared<const OtherParts>(
        OtherParts{make_messages(processes()), transport(), shared});
    }

    /// Returns the entries of a mesh's vector, [node][component], that this
    /// process owns, and zeros for its ghosts.
    template <class Number>
    std::vector<Number>
    restrict_to(const Space &to, const std::vector<Number> &values) const
    {
      const int b = to.n_components;
      std::vector<Number> local(to.n_local() * b, Number(0));
      for (int i = 0; i < to.n_owned * b; ++i)
        local[i] = values[to.mesh_dof[i / b] * b + i % b];
      return local;
    }

    const Connectivity &mesh;
    std::shared_ptr<const Space> space;
    SharedNodes shared;
  };
} // namespace tessera
