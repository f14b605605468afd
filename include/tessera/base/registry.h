#pragma once

#include <list>

namespace tessera
{
  /// Lists the things of one kind, such as operators, that the libraries of a
  /// program provide. The source of each thing registers a function that
  /// describes it, so that no central list has to be edited:
  ///
  ///     const Registration<OperatorDescriptor> csr_registration(describe_csr);
  ///
  /// A program has everything that its libraries register; a library that is
  /// loaded later adds its own things. `Descriptor` has a `name`.
  template <class Descriptor>
  class Registry
  {
  public:
    using Describe = Descriptor (*)();

    /// Adds a function that describes a thing. It is called when `all` is next
    /// asked for, so that it may use what other sources initialise.
    static void
    add(Describe describe);

    /// Returns the descriptors in the order of their names; references stay
    /// valid. Throws std::logic_error if two of them have the same name.
    static const std::list<Descriptor> &
    all();
  };

  /// Registers a descriptor while the program or a library starts.
  template <class Descriptor>
  struct Registration
  {
    explicit Registration(
      const typename Registry<Descriptor>::Describe describe)
    {
      Registry<Descriptor>::add(describe);
    }
  };
} // namespace tessera
