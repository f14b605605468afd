#pragma once

#include "mesh_scanner.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::mesh_files
{
  /// What has labels of its own: the model or an instance of a part.
  struct AbaqusScope
  {
    std::string name;  ///< of the instance; empty for the model
    int part     = -1; ///< the number of its part; -1 for the model
    Labels nodes = Labels(0);
    int n_nodes  = 0;
    /// The places of elements in `MeshFile::elements`, by label.
    std::map<long long, std::size_t> elements = {};
  };

  /// Labels first, first + step, ... up to last, or another set.
  struct AbaqusMember
  {
    int scope;            ///< whose labels and sets these are
    int set         = -1; ///< place in `AbaqusModel::keys`, or -1 for labels
    int side        = -1; ///< of elements, 0 for S1; of surfaces alone
    int line        = 0;
    long long first = 0, last = 0, step = 1;
  };

  /// A set of nodes or elements or a surface.
  struct AbaqusGroup
  {
    std::string name; ///< as the file spells it first
    std::string key;  ///< `abaqus_key` of it
    int scope;
    std::vector<AbaqusMember> members = {};
  };

  /// All groups of one kind, in the order of the file.
  struct AbaqusGroups
  {
    std::vector<AbaqusGroup> all;
    std::map<std::pair<int, std::string>, int> index; ///< by scope and key

    /// Returns a group of this name, which is made if there is none.
    AbaqusGroup &
    get(int scope, const std::string &name);
  };

  /// A text of Abaqus as it was read.
  struct AbaqusModel
  {
    MeshFile mesh;
    std::vector<AbaqusScope> scopes; ///< first the model, then instances
    std::vector<int> scope_of_node;  ///< [n_vertices of `mesh`]
    AbaqusGroups node_sets, element_sets, surfaces;
    std::vector<std::string> keys; ///< of sets that members stand for
  };

  /// Gives the elements of `model.mesh` the ids and names of their sets, adds
  /// faces for its surfaces, and keeps its sets of nodes. Surfaces become the
  /// boundary ids 1 to n in the order of the file. Element sets are counted
  /// likewise; of faces they come after surfaces.
  ///
  /// A group of an instance has its own name, unless the model or another part
  /// has a group of the same one, and stands for all instances of its part. Its
  /// name behind the name of the instance, as in `Part-1-2.Top`, exists where
  /// the name alone does not stand for the same.
  void
  assign_groups(AbaqusModel &model, const Scanner &in);
} // namespace tessera::mesh_files
