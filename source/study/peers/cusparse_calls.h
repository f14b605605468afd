#pragma once

#include <tessera/base/error.h>

#include <cusparse.h>

#include <memory>
#include <string>

// What the sources that call cuSPARSE share.
namespace tessera::benchmarks
{
  inline void
  check(const cusparseStatus_t status, const char *call)
  {
    if (status != CUSPARSE_STATUS_SUCCESS)
      throw DeviceError(
        std::string("The call ") + call +
        " of cuSPARSE failed: " + cusparseGetErrorString(status) + ".");
  }

  /// Deletes an object of a library.
  template <auto destroy>
  struct Destroy
  {
    template <class T>
    void
    operator()(T *object) const
    {
      destroy(object);
    }
  };

  using CusparseHandle =
    std::unique_ptr<cusparseContext, Destroy<cusparseDestroy>>;
  using SparseDescriptor =
    std::unique_ptr<cusparseSpMatDescr, Destroy<cusparseDestroySpMat>>;
  using DenseDescriptor =
    std::unique_ptr<cusparseDnVecDescr, Destroy<cusparseDestroyDnVec>>;

  template <class Number>
  constexpr cudaDataType cuda_type = sizeof(Number) == 8 ? CUDA_R_64F
                                                         : CUDA_R_32F;

  inline CusparseHandle
  make_cusparse_handle()
  {
    cusparseHandle_t handle = nullptr;
    check(cusparseCreate(&handle), "cusparseCreate");
    return CusparseHandle(handle);
  }
} // namespace tessera::benchmarks
