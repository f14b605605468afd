#include "cusparse_factorization.h"
#include "cusparse_peer.h"

#include <tessera/operators/models.h>

#include <cublas_v2.h>

#include <cmath>

namespace tessera::benchmarks
{
  namespace
  {
    void
    check_cublas(const cublasStatus_t status, const char *call)
    {
      if (status != CUBLAS_STATUS_SUCCESS)
        throw DeviceError(
          std::string("The call ") + call +
          " of cuBLAS failed: " + cublasGetStatusString(status) + ".");
    }

    using CublasHandle = std::unique_ptr<cublasContext, Destroy<cublasDestroy>>;
    /// Vector operations of cuBLAS on `n` entries.
    template <class Number>
    class Blas
    {
    public:
      explicit Blas(const int n) : n(n)
      {
        cublasHandle_t created = nullptr;
        check_cublas(cublasCreate(&created), "cublasCreate");
        handle.reset(created);
      }

      double
      dot(const Number *x, const Number *y) const
      {
        Number result = 0;
        check_cublas(call<Number>(cublasDdot, cublasSdot)(handle.get(), n, x, 1,
                                                          y, 1, &result),
                     "cublasDdot");
        return result;
      }

      /// y += a x
      void
      add(const Number a, const Number *x, Number *y) const
      {
        check_cublas(call<Number>(cublasDaxpy, cublasSaxpy)(handle.get(), n, &a,
                                                            x, 1, y, 1),
                     "cublasDaxpy");
      }

      /// x *= a
      void
      scale(const Number a, Number *x) const
      {
        check_cublas(
          call<Number>(cublasDscal, cublasSscal)(handle.get(), n, &a, x, 1),
          "cublasDscal");
      }

      void
      copy(const Number *from, Number *to) const
      {
        check_cublas(call<Number>(cublasDcopy, cublasScopy)(handle.get(), n,
                                                            from, 1, to, 1),
                     "cublasDcopy");
      }

      /// y_i = d_i x_i
      void
      multiply(const Number *d, const Number *x, Number *y) const
      {
        check_cublas(call<Number>(cublasDdgmm, cublasSdgmm)(
                       handle.get(), CUBLAS_SIDE_LEFT, n, 1, x, n, d, 1, y, n),
                     "cublasDdgmm");
      }

    private:
      int n;
      CublasHandle handle;
    };

    template <class Number>
    class CusparseCG : public Solver<Number>
    {
    public:
      CusparseCG(const CsrMatrix<Number> &matrix,
                 const Vector<Number> &diagonal, const CusparseM kind)
        : n(matrix.n_rows()), bytes_of_matrix(matrix.bytes_of_product()),
          A(make_cusparse(matrix, 0, "csr_alg1")), blas(n), r(A->make_vector()),
          p(A->make_vector()), q(A->make_vector())
      {
        if (kind == CusparseM::none)
          return;
        z = A->make_vector();
        if (kind == CusparseM::jacobi)
          {
            std::vector<Number> inverse = diagonal.to_vector();
            inverse.resize(n);
            for (Number &entry : inverse)
              entry = 1 / entry;
            inverse_diagonal = Array<Number>(Backend::cuda, inverse);
          }
        else
          incomplete.emplace(matrix, kind == CusparseM::ic0, r, z);
        runtime::synchronize({});
      }

      CGResult
      solve(Vector<Number> &x, const Vector<Number> &b,
            const CGControl &control) override
      {
        CGResult result;
        x.zero();
        blas.copy(b.data(), r.data());
        double r_dot_r          = blas.dot(r.data(), r.data());
        result.initial_residual = std::sqrt(r_dot_r);
        const double tolerance =
          std::max(control.relative_tolerance * result.initial_residual,
                   control.absolute_tolerance);
        const Number *const direction = precondition();
        blas.copy(direction, p.data());
        double r_dot_z =
          z.size() == 0 ? r_dot_r : blas.dot(r.data(), direction);
        result.history.push_back(result.initial_residual);
        while (std::sqrt(r_dot_r) > tolerance &&
               result.iterations < control.max_iterations &&
               std::isfinite(r_dot_r))
          {
            A->vmult(q, p);
            const auto alpha =
              static_cast<Number>(r_dot_z / blas.dot(p.data(), q.data()));
            blas.add(alpha, p.data(), x.data());
            blas.add(-alpha, q.data(), r.data());
            r_dot_r = blas.dot(r.data(), r.data());
            precondition();
            const double next =
              z.size() == 0 ? r_dot_r : blas.dot(r.data(), direction);
            blas.scale(static_cast<Number>(next / r_dot_z), p.data());
            blas.add(1, direction, p.data());
            r_dot_z = next;
            ++result.iterations;
            result.history.push_back(std::sqrt(r_dot_r));
            if (control.progress &&
                result.iterations % control.check_every == 0 &&
                !control.progress(result.iterations, std::sqrt(r_dot_r)))
              {
                result.interrupted = true;
                break;
              }
          }
        result.residual = std::sqrt(r_dot_r);
        set_end(result, result.residual <= tolerance, control);
        runtime::synchronize({});
        return result;
      }

      /// A product of compressed rows, the calls of cuBLAS one by one, and two
      /// triangles, each with half of the matrix and with vectors to and from.
      double
      iteration_bytes() const override
      {
        const double vector = sizeof(Number) * static_cast<double>(n);
        return bytes_of_matrix + 2 * vector +
               (z.size() == 0 ? 14 : 19) * vector +
               (incomplete ? bytes_of_matrix + 4 * vector : 0.);
      }

    private:
      /// Computes z = M^-1 r and returns its entries, the entries of r if M =
      /// 1.
      const Number *
      precondition()
      {
        if (z.size() == 0)
          return r.data();
        if (incomplete)
          incomplete->solve();
        else
          blas.multiply(inverse_diagonal.data(), r.data(), z.data());
        return z.data();
      }

      const int n;
      const double bytes_of_matrix;
      std::unique_ptr<Operator<Number>> A;
      Blas<Number> blas;
      Vector<Number> r, p, q, z;
      Array<Number> inverse_diagonal;
      std::optional<Incomplete<Number>> incomplete;
    };
  } // namespace

  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &matrix,
                   const Vector<Number> &diagonal,
                   const CusparseM preconditioner)
  {
    return std::make_unique<CusparseCG<Number>>(matrix, diagonal,
                                                preconditioner);
  }

  template std::unique_ptr<Solver<double>>
  make_cusparse_cg(const CsrMatrix<double> &, const Vector<double> &,
                   CusparseM);
  template std::unique_ptr<Solver<float>>
  make_cusparse_cg(const CsrMatrix<float> &, const Vector<float> &, CusparseM);
} // namespace tessera::benchmarks
