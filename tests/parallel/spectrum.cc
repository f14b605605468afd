#include <tessera/parallel/processes.h>
#include <tessera/preconditioners/spectrum.h>

#include <algorithm>
#include <numeric>

#include "test.h"

// These tests run in several processes (mpirun).
namespace tessera
{
  namespace
  {
    const Processes &
    processes()
    {
      static const Processes all;
      return all;
    }

    constexpr int n             = 6;
    constexpr double difference = 5;

    /// (A x)_i = d_i x_i + `difference` (x_i - m_i), where m is the mean of x
    /// over the parts, and d_i = 1 + i / 10. The eigenvalues of vectors that
    /// are the same on all parts are d_i; for vectors whose mean is 0 they are
    /// larger by `difference`.
    class Differences : public Operator<double>
    {
    public:
      explicit Differences(const Transport &transport) : transport(transport)
      {}

      Backend
      backend() const override
      {
        return Backend::host;
      }

      int
      n_owned() const override
      {
        return n;
      }

      int
      n_tail() const override
      {
        return 0;
      }

      void
      vmult(Vector<double> &y, const Vector<double> &x,
            const Epilogue<double> &epilogue,
            const Stream stream) const override
      {
        std::vector<double> sum(x.data(), x.data() + n);
        transport.sum(sum.data(), n, stream);
        for (int i = 0; i < n; ++i)
          y.data()[i] =
            (1 + 0.1 * i) * x.data()[i] +
            difference * (x.data()[i] - sum[i] / processes().size());
        if (epilogue.kind == Epilogue<double>::Kind::dot)
          *epilogue.result =
            std::inner_product(x.data(), x.data() + n, y.data(), 0.);
      }

      void
      diagonal(Vector<double> &, Stream) const override
      {}

      Traffic
      traffic() const override
      {
        return {};
      }

      bool
      repeatable() const override
      {
        return true;
      }

      std::string
      name() const override
      {
        return "differences";
      }

    private:
      const Transport &transport;
    };
  } // namespace

  // A start that is the same on all parts would stay so.
  TEST(SpectrumTest, TheStartIsAnotherOnEachPart)
  {
    const auto transport = make_transport(processes(), Backend::host);
    Differences A(*transport);
    A.set_parts({transport, std::make_shared<HomogeneousTail<double>>()});
    Vector<double> ones = A.make_vector();
    std::fill_n(ones.data(), n, 1.);
    const SpectrumBounds bounds = estimate_spectrum(A, ones);
    const double largest = 1.5 + (processes().size() > 1 ? difference : 0);
    EXPECT_NEAR(bounds.lower, 1, 1e-10);
    EXPECT_GE(bounds.upper, largest);
    EXPECT_LE(bounds.upper, 1.1 * largest);
  }
} // namespace tessera
