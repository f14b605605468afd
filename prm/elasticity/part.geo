// A lug, in millimetres: a foot with two bolt holes, and an eye that stands on it
// with a bore for a pin and a hole that saves weight.
// gmsh -2 -format stl -bin part.geo -o part.stl
SetFactory("OpenCASCADE");

Box(1) = {-45, -25, 0, 90, 50, 10};
Box(2) = {-20, -8, 5, 40, 16, 40};
Cylinder(3) = {0, -8, 45, 0, 16, 0, 20};
body() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2:3}; Delete; };

e = 0.01;
corners() = {};
For i In {0:3}
  x = 45 * (1 - 2 * (i % 2));
  y = 25 * (1 - 2 * Floor(i / 2));
  corners() += Curve In BoundingBox{x - e, y - e, -e, x + e, y + e, 10 + e};
EndFor
rounded() = Fillet{body()}{corners()}{10};
rim() = Curve In BoundingBox{-20 - e, -8 - e, 10 - e, 20 + e, 8 + e, 10 + e};
filleted() = Fillet{rounded()}{rim()}{5};

Cylinder(101) = {-34, 0, -1, 0, 0, 12, 5.5};
Cylinder(102) = {34, 0, -1, 0, 0, 12, 5.5};
Cylinder(103) = {0, -9, 45, 0, 18, 0, 10};
Cylinder(104) = {0, -9, 23, 0, 18, 0, 4};
part() = BooleanDifference{ Volume{filleted()}; Delete; }
                          { Volume{101:104}; Delete; };

Mesh.MeshSizeMax = 20;
Mesh.MeshSizeFromCurvature = 18;
