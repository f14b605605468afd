#include <tessera/fem/bridge/active_cells.h>

#include "contact_loads.h"
#include <tessera/base/error.h>
#include <tessera/fem/bridge/face_trace.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/input/expression.h>
#include <tessera/space/face_data.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace tessera
{
  namespace
  {
    const std::string contacts_path = "Loads/Contact";

    std::string
    contact_section(const int i)
    {
      return contacts_path + ' ' + std::to_string(i);
    }

    /// Reads constants.
    template <int dim>
    std::vector<double>
    read(const Parameters &parameters, const std::string &entry,
         const std::vector<int> &legal_components)
    {
      const Expression<dim> expression(parameters, entry, legal_components);
      if (expression.varies())
        throw ParameterError("The expression '" + parameters.get(entry) +
                             "' of '" + entry +
                             "' has coordinates in it; legal are numbers.");
      return expression.evaluate();
    }

    /// Where the vertices of a mesh lie in a direction, those that any process
    /// knows.
    template <int dim>
    std::pair<double, double>
    extent(const dealii::Triangulation<dim> &triangulation,
           const dealii::Tensor<1, dim> &direction,
           const Division *const division)
    {
      std::pair<double, double> range = {
        std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()};
      const auto &vertices = triangulation.get_vertices();
      for (std::size_t v = 0; v < vertices.size(); ++v)
        if (triangulation.get_used_vertices()[v])
          {
            const double at = vertices[v] * direction;
            range = {std::min(range.first, at), std::max(range.second, at)};
          }
      if (division != nullptr)
        range = {-division->processes().largest(-range.first),
                 division->processes().largest(range.second)};
      return range;
    }
  } // namespace


  template <int dim>
  void
  ContactLoads<dim>::declare(Parameters &parameters)
  {
    const Patterns::Anything any;
    constexpr int n_contacts = 8; // more are declared where they are set
    parameters.declare_any_number(contacts_path);
    for (int i = 1; i <= n_contacts; ++i)
      {
        const std::string section = contact_section(i);
        parameters.declare(section + "/Direction", "", any,
                           "components separated by semicolons: the force acts "
                           "on what of the surface lies foremost in this "
                           "direction; empty: this subsection is not used");
        parameters.declare(section + "/Force", "0", any,
                           "the total force: one number, which presses against "
                           "the direction, or components separated by "
                           "semicolons");
        parameters.declare(section + "/Tolerance", "1e-6",
                           Patterns::Double(0, 1),
                           "how far the surface lies behind its foremost "
                           "vertex, as a fraction of the body's extent in the "
                           "direction");
      }
  }


  template <int dim>
  ContactLoads<dim>::ContactLoads(const Parameters &parameters)
  {
    for (const int i : parameters.numbers(contacts_path))
      {
        const std::string section = contact_section(i);
        if (parameters.get(section + "/Direction").empty())
          continue;
        Contact contact{
          section, {}, {}, parameters.get_double(section + "/Tolerance")};
        const auto direction =
          read<dim>(parameters, section + "/Direction", {dim});
        const auto force = read<dim>(parameters, section + "/Force", {1, dim});
        std::copy_n(direction.begin(), dim, contact.direction.begin_raw());
        const double length = contact.direction.norm();
        if (length == 0)
          throw ParameterError("'" + section +
                               "/Direction' is 0; legal are vectors with a "
                               "length.");
        contact.direction /= length;
        for (int d = 0; d < dim; ++d)
          contact.force[d] =
            force.size() == 1 ? -force[0] * contact.direction[d] : force[d];
        contacts.push_back(contact);
      }
  }


  template <int dim>
  void
  ContactLoads<dim>::add_to(dealii::Vector<double> &loads,
                            const Mesh<dim> &mesh,
                            const dealii::Mapping<dim> &mapping,
                            const dealii::DoFHandler<dim> &dof_handler,
                            const Division *const division) const
  {
    if (contacts.empty())
      return;
    const auto type   = face_type(mesh.cell_type());
    const int degree  = static_cast<int>(dof_handler.get_fe().degree);
    const auto rule   = cell_quadrature<dim - 1>(type, degree);
    const auto phi    = face_shape_values(type, degree); // [n][nq]
    const unsigned nq = rule.size();
    FaceTrace<dim> trace(mapping, dof_handler.get_fe(), rule.get_points());
    for (const Contact &contact : contacts)
      {
        const auto [back, front] =
          extent(mesh.triangulation(), contact.direction, division);
        const double behind = contact.tolerance * (front - back);
        std::vector<double> area{0.};
        std::vector<std::pair<dealii::types::global_dof_index, double>> shares;
        for (const auto &cell : boundary_cells(dof_handler))
          for (const unsigned int f : cell->face_indices())
            {
              const auto face = cell->face(f);
              bool foremost   = is_here(division, cell) && face->at_boundary();
              for (const unsigned int v : face->vertex_indices())
                foremost =
                  foremost &&
                  front - face->vertex(v) * contact.direction <= behind;
              if (!foremost)
                continue;
              trace.reinit(cell, f);
              const auto &dofs = trace.dofs();
              std::vector<double> integrals(dofs.size() / dim, 0.);
              for (unsigned int q = 0; q < nq; ++q)
                {
                  const double facing =
                    std::max(0., trace.normal(q) * contact.direction) *
                    trace.measure(q) * rule.weight(q);
                  area[0] += facing;
                  for (std::size_t k = 0; k < integrals.size(); ++k)
                    integrals[k] += phi[k * nq + q] * facing;
                }
              for (std::size_t k = 0; k < dofs.size(); ++k)
                shares.emplace_back(dofs[k], contact.force[k % dim] *
                                               integrals[k / dim]);
            }
        sum_up(division, area);
        if (!(area[0] > 0))
          {
            std::ostringstream text;
            text << "The force of '" << contact.section
                 << "' meets no face of the " << mesh.source
                 << ": none has all vertices within " << behind
                 << " of the foremost one; legal are larger values of '"
                 << contact.section << "/Tolerance', which is "
                 << contact.tolerance << '.';
            throw ParameterError(text.str());
          }
        for (const auto &[dof, share] : shares)
          loads[dof] += share / area[0];
      }
  }


  template class ContactLoads<2>;
  template class ContactLoads<3>;
} // namespace tessera
