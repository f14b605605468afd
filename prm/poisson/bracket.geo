// An angle bracket with two bolt holes and a bore, of tetrahedra.
// gmsh -3 -format msh41 bracket.geo -o bracket.msh
SetFactory("OpenCASCADE");

Box(1) = {0, 0, 0, 4, 2, 0.5};
Box(2) = {0, 0, 0, 0.5, 2, 3};
body() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(11) = {-1, 0.55, 2.2, 2, 0, 0, 0.25};
Cylinder(12) = {-1, 1.45, 2.2, 2, 0, 0, 0.25};
Cylinder(13) = {2.7, 1, -1, 0, 0, 2, 0.5};
part() = BooleanDifference{ Volume{body()}; Delete; }
                          { Volume{11:13}; Delete; };

e = 0.01;
wall() = Surface In BoundingBox {-e, -e, -e, e, 2 + e, 3 + e};
tip()  = Surface In BoundingBox {4 - e, -e, -e, 4 + e, 2 + e, 0.5 + e};
bolts() = Surface In BoundingBox {-e, 0.3 - e, 1.95 - e, 0.5 + e, 1.7 + e, 2.45 + e};
bore() = Surface In BoundingBox {2.2 - e, 0.5 - e, -e, 3.2 + e, 1.5 + e, 0.5 + e};
free() = Boundary{ Volume{part()}; };
free() -= wall();
free() -= tip();
free() -= bolts();
free() -= bore();

Physical Surface("wall", 1) = wall();
Physical Surface("tip", 2) = tip();
Physical Surface("bolts", 3) = bolts();
Physical Surface("bore", 4) = bore();
Physical Surface("free", 5) = free();
Physical Volume("bracket", 1) = part();

Mesh.MeshSizeMin = 0.3;
Mesh.MeshSizeMax = 0.3;
Mesh.MeshSizeFromCurvature = 12;
Mesh.SaveAll = 0;
