#pragma once

namespace tessera::benchmarks
{
  /// y = A x of another library, indexed by deal.II's degrees of freedom.
  class Peer
  {
  public:
    virtual ~Peer() = default;

    virtual void
    set_x(unsigned int i, double value) = 0;

    virtual double
    y(unsigned int i) const = 0;

    virtual void
    vmult() = 0;
  };

  /// A peer whose vectors are deal.II's.
  template <class Vector>
  class VectorPeer : public Peer
  {
  public:
    void
    set_x(const unsigned int i, const double value) override
    {
      x(i) = static_cast<typename Vector::value_type>(value);
    }

    double
    y(const unsigned int i) const override
    {
      return result(i);
    }

  protected:
    Vector x, result;
  };
} // namespace tessera::benchmarks
