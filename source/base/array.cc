#include <tessera/base/array.h>
#include <tessera/base/error.h>

#include <new>
#include <string>

namespace tessera::internal
{
  namespace
  {
    constexpr std::align_val_t alignment{64};
  }

  void *allocate(const Backend backend, const std::size_t bytes)
  {
    if (backend == Backend::cuda)
      return runtime::allocate(bytes);
    void *pointer = ::operator new(bytes, alignment, std::nothrow);
    if (pointer == nullptr)
      throw DeviceError("Taking " + std::to_string(bytes) +
                        " bytes of host memory failed.");
    return pointer;
  }

  void deallocate(const Backend backend, void *pointer) noexcept
  {
    if (backend == Backend::cuda)
      runtime::deallocate(pointer);
    else
      ::operator delete(pointer, alignment);
  }
} // namespace tessera::internal
