#include "vtu_cells.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/active_cells.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    template <int dim>
    std::unique_ptr<dealii::FiniteElement<dim>>
    make_point_element(const dealii::ReferenceCell &type, const int n)
    {
      if (!type.is_hyper_cube())
        return std::make_unique<dealii::FE_SimplexP<dim>>(n);
      return std::make_unique<dealii::FE_Q<dim>>(
        dealii::QIterated<1>(dealii::QTrapezoid<1>(), n));
    }


    template <int dim>
    class DealIISource : public VtuSource<dim>
    {
    public:
      using typename VtuSource<dim>::NodalField;
      using typename VtuSource<dim>::Numbers;
      using typename VtuSource<dim>::Read;
      using typename VtuSource<dim>::ReadNodes;
      using typename VtuSource<dim>::Solution;
      using Indices = std::vector<dealii::types::global_dof_index>;

      DealIISource(const dealii::Mapping<dim> &mapping,
                   const dealii::DoFHandler<dim> &dof_handler,
                   const Division *const division)
        : mapping(mapping), dof_handler(dof_handler), division(division),
          triangulation(dof_handler.get_triangulation())
      {
        places = parallel_vector<Place>(triangulation.n_active_cells(), {});
        for_active_cells(triangulation, [this]() {
          return [this](const auto &cell) {
            places[cell->active_cell_index()] = {cell->level(), cell->index(),
                                                 is_here(this->division, cell)
                                                   ? cell->active_cell_index()
                                                   : not_here};
          };
        });
        if (division != nullptr)
          places.erase(std::remove_if(places.begin(), places.end(),
                                      [](const Place &place) {
                                        return place.active_index == not_here;
                                      }),
                       places.end());
      }

      dealii::ReferenceCell
      type() const override
      {
        return triangulation.get_reference_cells().front();
      }

      std::size_t
      n_cells() const override
      {
        return places.size();
      }

      unsigned int
      active_index(const std::size_t c) const override
      {
        return places[c].active_index;
      }

      unsigned int
      material(const std::size_t c) const override
      {
        return cell(c, dof_handler)->material_id();
      }

      std::vector<MeshFace>
      boundary() const override
      {
        std::vector<MeshFace> faces;
        for (const auto &cell : boundary_cells(triangulation))
          if (const auto place = std::lower_bound(
                places.begin(), places.end(), cell->active_cell_index(),
                [](const Place &place, const unsigned int index) {
                  return place.active_index < index;
                });
              place != places.end() &&
              place->active_index == cell->active_cell_index())
            for (const unsigned int f : cell->face_indices())
              if (cell->face(f)->at_boundary())
                faces.push_back({static_cast<int>(place - places.begin()),
                                 static_cast<int>(f),
                                 cell->face(f)->boundary_id()});
        return faces;
      }

      Numbers
      number_points(const int n,
                    const std::vector<NodalField> &fields) const override
      {
        const auto fe = make_point_element<dim>(type(), n);
        dealii::DoFHandler<dim> own;
        const dealii::DoFHandler<dim> *dofs = nullptr;
        for (const NodalField &field : fields)
          if (const auto &its = dofs_of(field).get_fe();
              its.n_components() == 1 &&
              its.get_unit_support_points() == fe->get_unit_support_points())
            dofs = &dofs_of(field);
        if (dofs == nullptr)
          {
            own.reinit(triangulation);
            own.distribute_dofs(*fe);
            dofs = &own;
          }
        const CellParts<dim> cut(type(), n);
        std::vector<int> of_points;
        for (const auto &point : fe->get_unit_support_points())
          of_points.push_back(place_of(point, cut.points));
        const std::size_t n_local = of_points.size();
        Numbers numbers{parallel_vector<int>(n_cells() * n_local),
                        dofs->n_dofs()};
#pragma omp parallel
        {
          Indices indices(n_local);
#pragma omp for schedule(static)
          for (std::size_t c = 0; c < n_cells(); ++c)
            {
              cell(c, *dofs)->get_dof_indices(indices);
              for (std::size_t i = 0; i < n_local; ++i)
                numbers.of_cells[c * n_local + of_points[i]] =
                  static_cast<int>(indices[i]);
            }
        }
        if (division != nullptr) // other processes have some of the points
          leave_out_others(numbers);
        return numbers;
      }

      int
      n_components(const NodalField &field) const override
      {
        return dofs_of(field).get_fe().n_components();
      }

      const dealii::FiniteElement<dim> &
      element(const NodalField &field) const override
      {
        return dofs_of(field).get_fe().base_element(0);
      }

      ReadNodes
      nodes(const NodalField &field) const override
      {
        const auto &dofs = dofs_of(field);
        const auto &fe   = dofs.get_fe();
        return [this, &dofs, &fe, n = element(field).n_dofs_per_cell(),
                indices = Indices(fe.n_dofs_per_cell())](
                 const std::size_t c, std::size_t *to) mutable {
          cell(c, dofs)->get_dof_indices(indices);
          for (unsigned int a = 0; a < fe.n_components(); ++a)
            for (unsigned int k = 0; k < n; ++k)
              *to++ = indices[fe.component_to_system_index(a, k)];
        };
      }

      Read
      at(const std::vector<dealii::Point<dim>> &points,
         const NodalField *const u) const override
      {
        const auto &dofs = u == nullptr ? dof_handler : dofs_of(*u);
        const auto flags = u == nullptr ? dealii::update_quadrature_points
                                        : dealii::update_quadrature_points |
                                            dealii::update_values |
                                            dealii::update_gradients;
        const std::size_t n_points = points.size(),
                          n        = u == nullptr ? 0 : n_components(*u);
        return
          [this, &dofs, u, n, n_points,
           in_cell = std::make_shared<dealii::FEValues<dim>>(
             mapping, dofs.get_fe(), dealii::Quadrature<dim>(points), flags),
           values = std::vector<dealii::Vector<double>>(
             n_points, dealii::Vector<double>(n)),
           gradients = std::vector<std::vector<dealii::Tensor<1, dim>>>(
             n_points, std::vector<dealii::Tensor<1, dim>>(n))](
            const std::size_t c, Solution &solution) mutable {
            in_cell->reinit(cell(c, dofs));
            solution.cell   = active_index(c);
            solution.points = in_cell->get_quadrature_points();
            if (u == nullptr)
              return;
            in_cell->get_function_values(u->values, values);
            in_cell->get_function_gradients(u->values, gradients);
            solution.values.resize(n_points * n);
            solution.gradients.resize(n_points * n);
            for (std::size_t q = 0; q < n_points; ++q)
              for (std::size_t a = 0; a < n; ++a)
                {
                  solution.values[q * n + a]    = values[q][a];
                  solution.gradients[q * n + a] = gradients[q][a];
                }
          };
      }

    private:
      static constexpr unsigned int not_here = -1;

      /// Where deal.II has a cell.
      struct Place
      {
        int level, index;
        unsigned int active_index;
      };

      const dealii::Mapping<dim> &mapping;
      const dealii::DoFHandler<dim> &dof_handler;
      const Division *const division;
      const dealii::Triangulation<dim> &triangulation;
      std::vector<Place> places; ///< of the cells

      typename dealii::DoFHandler<dim>::active_cell_iterator
      cell(const std::size_t c, const dealii::DoFHandler<dim> &dofs) const
      {
        return {&triangulation, places[c].level, places[c].index, &dofs};
      }

      const dealii::DoFHandler<dim> &
      dofs_of(const NodalField &field) const
      {
        return field.dof_handler ? *field.dof_handler : dof_handler;
      }

      static void
      leave_out_others(Numbers &numbers)
      {
        std::vector<int> new_number(numbers.n, 0);
        for (const int number : numbers.of_cells)
          new_number[number] = 1;
        int n = 0;
        for (int &number : new_number)
          number = number != 0 ? n++ : -1;
        for (int &number : numbers.of_cells)
          number = new_number[number];
        numbers.n = n;
      }
    };
  } // namespace


  template <int dim>
  WrittenCells<dim>::WrittenCells(const dealii::Mapping<dim> &mapping,
                                  const dealii::DoFHandler<dim> &dof_handler,
                                  const Division *const division)
    : of_cells(std::make_shared<const DealIISource<dim>>(mapping, dof_handler,
                                                         division)),
      of_processes(division)
  {}


  template WrittenCells<2>::WrittenCells(const dealii::Mapping<2> &,
                                         const dealii::DoFHandler<2> &,
                                         const Division *);
  template WrittenCells<3>::WrittenCells(const dealii::Mapping<3> &,
                                         const dealii::DoFHandler<3> &,
                                         const Division *);
} // namespace tessera
