#pragma once

#include "triangle_shells.h"

#include <string>

namespace tessera::mesh_tools
{
  /// Throws MeshError with a place and the number of pairs if triangles cross
  /// or touch that are no neighbours there: parts of two triangles without a
  /// common corner must be farther apart than `tolerance`. The pairs come from
  /// a tree of bounding boxes, so that n triangles of similar size need about n
  /// log n operations.
  void
  check_crossings(const TriangleSurface &surface, double tolerance,
                  const std::string &source);
} // namespace tessera::mesh_tools
