#pragma once

#include <deal.II/base/tensor.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::rigid
{
  using Vector3 = dealii::Tensor<1, 3>;

  /// A motion of a body: a rotation w in the first three entries, a translation
  /// t in the others. In two dimensions t is in the plane and w is across it. A
  /// demand has the same entries: the scalar product of demand and motion must
  /// vanish.
  using Motion = dealii::Tensor<1, 6>;

  inline Vector3
  rotation(const Motion &motion)
  {
    return Vector3({motion[0], motion[1], motion[2]});
  }

  inline Vector3
  translation(const Motion &motion)
  {
    return Vector3({motion[3], motion[4], motion[5]});
  }

  inline Motion
  make_motion(const Vector3 &t, const Vector3 &w)
  {
    return Motion({w[0], w[1], w[2], t[0], t[1], t[2]});
  }

  /// The part of a demand that earlier demands do not contain is rounding if it
  /// is shorter than this.
  constexpr double tolerance = 1e-5;

  /// Makes a motion orthogonal to a list of unit vectors. A second pass removes
  /// the rounding of the first.
  inline void
  make_orthogonal(Motion &motion, const std::vector<Motion> &others)
  {
    for (int times = 0; times < 2; ++times)
      for (const Motion &other : others)
        motion -= (motion * other) * other;
  }

  /// Returns motions that are orthogonal to the motions of a list.
  std::vector<Motion>
  complement(std::vector<Motion> all);

  /// Returns a basis of the same motions in reduced echelon form, because it
  /// has coordinate axes wherever possible.
  std::vector<Motion>
  reduced(std::vector<Motion> motions);

  /// A part of a mesh, and orthogonal demands on its motion t + w x (x - c) / r
  /// with its centre c and its radius r.
  struct Body
  {
    Vector3 lower, upper, some_point;
    std::vector<Motion> held;
    Motion farthest{}; ///< of the demands that were not added yet

    Vector3
    centre() const
    {
      return 0.5 * (lower + upper);
    }

    double
    radius() const
    {
      return 0.5 * (upper - lower).norm();
    }

    /// Returns the demand that the point does not move in this direction.
    Motion
    demand(const Vector3 &point, const Vector3 &direction) const
    {
      return make_motion(
        direction,
        dealii::cross_product_3d((point - centre()) / radius(), direction));
    }
  };

  /// Points that two bodies, the first one with the lower number, share.
  using Joints = std::map<std::pair<int, int>, std::vector<Vector3>>;

  /// Returns, for each body that can move although held bodies stand still and
  /// all bodies stay together at their joints, orthogonal motions that span its
  /// motions. `directions` are the directions of space. Returns nothing if so
  /// many bodies depend on each other that the answer would need several GB.
  ///
  /// The squares of all demands (a joint demands that the difference of two
  /// motions vanishes) form a symmetric semidefinite matrix; its null space
  /// contains the motions. Bodies are eliminated one after another, first the
  /// bodies with the fewest neighbors; a pivot that vanishes belongs to a free
  /// motion, since its row vanishes, too.
  std::optional<std::map<int, std::vector<Motion>>>
  free_bodies(const std::vector<Body> &bodies, const Joints &joints,
              const std::vector<Vector3> &directions);
} // namespace tessera::rigid
