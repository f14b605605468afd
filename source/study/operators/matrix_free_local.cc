#include <tessera/operators/descriptor.h>
#include <tessera/operators/matrix_free.h>
#include <tessera/operators/models.h>
#include <tessera/study/assembly/study_kernels.h>

namespace tessera
{
  namespace
  {
    /// Matrix-free application by cell matrices (RegulyGiles2015, sections 3.4
    /// and 9). Every product computes the matrix of each cell again, entry by
    /// entry as assembly does with the same strategy, and uses it at once:
    ///   y += sum over cells of P_e^T K_e P_e x.
    /// It moves as much data as MatrixFree without entities. Its arithmetic is
    /// assembly's: the order per cell is (p+1)^(2 dim), instead of
    /// (p+1)^(dim + 1).
    template <class Number>
    class MatrixFreeLocal : public MatrixFree<Number>
    {
    public:
      /// Throws ParameterError if the form is not compiled for this operator.
      explicit MatrixFreeLocal(const CellProblem<Number> &p)
        : MatrixFree<Number>(p.cells, p.form, p.conflict, p.tail, p.boundary,
                             false)
      {
        this->strategy = p.strategy;
        kernels = &study_kernels<Number>(this->form->form(), this->strategy,
                                         this->cells->space(),
                                         "the operator matrix_free_local");
      }

      std::string
      name() const override
      {
        return "matrix_free_local";
      }

    protected:
      void
      launch_apply(const CellApply<Number> &apply,
                   const Stream stream) const override
      {
        kernels->apply_local(this->backend(), this->cells->space(), apply,
                             this->form->view(), stream);
      }

      /// The kernels add to a node several times, so they cannot store its
      /// value.
      bool
      stores_inner_nodes() const override
      {
        return false;
      }

    private:
      const StudyKernels<Number> *kernels;
    };
  } // namespace

  namespace
  {
    OperatorDescriptor
    describe_matrix_free_local()
    {
      OperatorDescriptor d{
        "matrix_free_local",
        "no matrix is stored: every product computes the matrix of every cell "
        "again, entry by entry",
        "RegulyGiles2015, sections 3.4 and 9"};
      d.from_cells([](auto number, const auto &p) {
        return std::make_unique<MatrixFreeLocal<decltype(number)>>(p);
      });
      d.model                 = models::matrix_free;
      d.stores_nothing        = true;
      d.assembles_in_products = true;
      return d;
    }

    const Registration<OperatorDescriptor> matrix_free_local_registration(
      describe_matrix_free_local);
  } // namespace
} // namespace tessera
