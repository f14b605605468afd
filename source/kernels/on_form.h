#pragma once

#include <tessera/base/target.h>
#include <tessera/space/element.h>
#include <tessera/space/space.h>

#include "this_form.h"

#include <type_traits>

#define TESSERA_TEXT(name) #name
#define TESSERA_TEXT_OF(name) TESSERA_TEXT(name)

// What tables of kernels need of the form that they are compiled for.
namespace tessera
{
  namespace
  {
    const char *const form_name = TESSERA_TEXT_OF(TESSERA_FORM_NAME);
    constexpr int max_degree    = TESSERA_MAX_DEGREE;

    template <class E>
    using FormOf = ThisForm<E::dim>;

    /// Calls `f(target, e)` for the kernels of a backend and an element, whose
    /// degree is at most `max_degree`.
    template <class F>
    void
    on_element_kernels(const Backend backend, const Space &space, const F &f)
    {
      on_target(backend, [&](const auto target) {
        on_element(space.cell_type, space.degree, [&](const auto e) {
          if constexpr (std::decay_t<decltype(e)>::degree <= max_degree)
            f(target, e);
        });
      });
    }
  } // namespace
} // namespace tessera
