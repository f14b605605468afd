#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/driver/discretization.h>
#include <tessera/forms/form.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// Fibres in the walls of one ventricle or of two, by a rule: they are
  /// parallel to the surfaces and turn from one to the other by an angle that
  /// solutions of Laplace's equation say (Bayer2012).
  ///
  /// Let u be the solution of div grad u = 0 that is 1 on the endocardium of a
  /// ventricle, 0 on all other surfaces that are named, and has no flux through
  /// the rest of the boundary. Then d = 1 - u is the distance from the
  /// endocardium, as a part of the thickness of the wall, and
  ///   t = -grad u / |grad u|            is the direction through the wall,
  ///   l = (k - (k . t) t) / |...|       the direction to the base, where k is
  ///                                     the axis from the apex to the base,
  ///   c = l x t                         counterclockwise from the base,
  ///   n = cos(a) c + sin(a) l           the fibre, with the angle
  ///   a = (1 - d) a_endo + d a_epi,
  ///   s = cos(b) t + sin(b) t x n       the direction in its sheet, with
  ///   b = (1 - d) b_endo + d b_epi.
  /// With two ventricles, a cell is in the wall of the right one if u of the
  /// left one is smaller there than u of the right one and than the rest to 1;
  /// so the septum belongs to the left one.
  template <int dim>
  class WallFibres
  {
  public:
    /// Declares the entries in the section.
    static void
    declare(Parameters &parameters, const std::string &section);

    /// Throws ParameterError if no epicardium or left endocardium is named or
    /// the axis is not a direction.
    WallFibres(const Parameters &parameters, const std::string &section);

    /// Returns the directions of the fibre and, behind it, in the sheet at the
    /// centre of every active cell, orthonormal, [n_active_cells]; of several
    /// processes, each gets the fibres of its own cells, and 0 in others.
    /// Linear elements and conjugate gradients compute u in all processes
    /// together, as a second field on the mesh of `d`. `diffusion` is a form
    /// -div(grad u), such as the one of that name. Throws MeshError for
    /// boundaries that do not exist or are named twice, and for cells that are
    /// not between two of the surfaces, in all processes.
    std::vector<std::array<double, 6>>
    directions(Discretization<dim> &d, const Form &diffusion) const;

  private:
    using Ids = std::set<dealii::types::boundary_id>;

    /// Returns the ids of the surfaces.
    std::array<Ids, 3>
    find_surfaces(const Mesh<dim> &mesh) const;

    std::string section;
    std::array<std::vector<std::string>, 3> surfaces; ///< left, right, outside
    std::array<double, 3> axis;
    /// The angles a and b inside and outside.
    double inside, outside, sheet_inside, sheet_outside;
  };

  /// Returns the direction n of the fibre that has the angle `angle`, in
  /// radians, and the direction s of its sheet, which has `sheet_angle`, where
  /// `through` is the direction through the wall and `axis` that from the apex
  /// to the base; neither has to be of unit length. Where they are parallel, as
  /// at an apex, another axis takes its place. Returns 0 if `through` is 0.
  std::array<double, 6>
  wall_fibre(const std::array<double, 3> &through,
             const std::array<double, 3> &axis, double angle,
             double sheet_angle = 0);
} // namespace tessera
