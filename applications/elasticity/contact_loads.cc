#include "contact_loads.h"
#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
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

    template <int dim>
    dealii::Tensor<1, dim>
    vertex(const CellNodes<dim> &cells, const int v)
    {
      dealii::Tensor<1, dim> result;
      std::copy_n(cells.mesh().vertices.data() + std::size_t(v) * dim, dim,
                  result.begin_raw());
      return result;
    }

    /// Where the vertices of a mesh that any process knows lie in a direction.
    template <int dim>
    std::pair<double, double>
    extent(const CellNodes<dim> &cells, const dealii::Tensor<1, dim> &direction)
    {
      std::pair<double, double> range = {
        std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()};
      for (int v = 0; v < cells.mesh().n_vertices(); ++v)
        {
          const double at = vertex(cells, v) * direction;
          range = {std::min(range.first, at), std::max(range.second, at)};
        }
      const Processes &all = cells.division().processes();
      return {-all.largest(-range.first), all.largest(range.second)};
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
                            const CellNodes<dim> &cells) const
  {
    if (contacts.empty())
      return;
    const auto type   = face_type(cells.cell_type());
    const int degree  = cells.degree();
    const auto rule   = cell_quadrature<dim - 1>(type, degree);
    const auto phi    = face_shape_values(type, degree); // [n][nq]
    const unsigned nq = rule.size();
    FaceTrace<dim> trace(cells, rule.get_points());
    for (const Contact &contact : contacts)
      {
        const auto [back, front] = extent(cells, contact.direction);
        const double behind      = contact.tolerance * (front - back);
        std::vector<double> area{0.};
        std::vector<std::pair<std::size_t, double>> shares;
        for (const MeshFace &face : cells.boundary_faces(cells.boundary_ids()))
          {
            trace.reinit(face);
            bool foremost = cells.is_own(face.cell);
            for (const int v : trace.corners())
              foremost = foremost &&
                         front - vertex(cells, v) * contact.direction <= behind;
            if (!foremost)
              continue;
            const auto &nodes = trace.nodes();
            std::vector<double> integrals(nodes.size(), 0.);
            for (unsigned int q = 0; q < nq; ++q)
              {
                const double facing =
                  std::max(0., trace.normal(q) * contact.direction) *
                  trace.measure(q) * rule.weight(q);
                area[0] += facing;
                for (std::size_t k = 0; k < nodes.size(); ++k)
                  integrals[k] += phi[k * nq + q] * facing;
              }
            for (std::size_t k = 0; k < nodes.size(); ++k)
              for (int c = 0; c < dim; ++c)
                shares.emplace_back(cells.dof(nodes[k], c),
                                    contact.force[c] * integrals[k]);
          }
        sum_up(cells.division(), area);
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
