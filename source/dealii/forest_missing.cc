#include <tessera/dealii/forest.h>

#include <stdexcept>

// Where deal.II has no p4est, no mesh is distributed.
namespace tessera
{
  template <int dim>
  struct Forest<dim>::Cells
  {};


  template <int dim>
  Forest<dim>::Forest(const Division &division) : division(division)
  {}


  template <int dim>
  Forest<dim>::~Forest() = default;


  template <int dim>
  bool
  Forest<dim>::serves(const Parameters &)
  {
    return false;
  }


  template <int dim>
  std::unique_ptr<Forest<dim>>
  Forest<dim>::make(Mesh<dim> &mesh, const Parameters &parameters,
                    const int cycle, const Division &)
  {
    make_mesh(mesh, parameters, cycle);
    return nullptr;
  }


  template <int dim>
  bool
  Forest<dim>::show(Mesh<dim> &) const
  {
    throw std::logic_error("there is no forest without p4est");
  }


  template <int dim>
  MeshNodes
  Forest<dim>::dofs(const dealii::DoFHandler<dim> &) const
  {
    throw std::logic_error("there is no forest without p4est");
  }


  template <int dim>
  void
  Forest<dim>::adapt(Mesh<dim> &, dealii::DoFHandler<dim> &,
                     const dealii::Vector<float> &, double, double,
                     const MeshLevels &, std::vector<dealii::Vector<double>> &)
  {
    throw std::logic_error("there is no forest without p4est");
  }


  template class Forest<2>;
  template class Forest<3>;
} // namespace tessera
