// A plate of 3 x 2 with six holes: unstructured quadrilaterals.
// gmsh -2 -format msh41 plate.geo -o plate.msh
SetFactory("OpenCASCADE");
h = 0.08;

Rectangle(1) = {0, 0, 0, 3, 2, 0.15};
Disk(11) = {0.60, 0.55, 0, 0.28};
Disk(12) = {1.45, 0.50, 0, 0.20};
Disk(13) = {2.40, 0.60, 0, 0.32, 0.22};
Disk(14) = {0.70, 1.45, 0, 0.24};
Disk(15) = {1.60, 1.35, 0, 0.34};
Disk(16) = {2.45, 1.45, 0, 0.22};
plate() = BooleanDifference{ Surface{1}; Delete; }
                           { Surface{11:16}; Delete; };

hot()   = Curve In BoundingBox {0.3, 0.2, -1, 0.9, 0.9, 1};
hot()  += Curve In BoundingBox {2.2, 1.2, -1, 2.7, 1.7, 1};
cold()  = Curve In BoundingBox {1.2, 1.0, -1, 2.0, 1.7, 1};
all()   = Boundary{ Surface{plate()}; };
outer() = Curve In BoundingBox {-0.01, -0.01, -1, 3.01, 0.16, 1};
outer() += Curve In BoundingBox {-0.01, 1.84, -1, 3.01, 2.01, 1};
outer() += Curve In BoundingBox {-0.01, 0.14, -1, 0.01, 1.86, 1};
outer() += Curve In BoundingBox {2.99, 0.14, -1, 3.01, 1.86, 1};
free()  = all();
free() -= hot();
free() -= cold();
free() -= outer();

Physical Curve("outer", 1) = outer();
Physical Curve("hot holes", 2) = hot();
Physical Curve("cold hole", 3) = cold();
Physical Curve("free holes", 4) = free();
Physical Surface("plate", 10) = plate();

Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm = 6;
Mesh.RecombineAll = 1;
Mesh.RecombinationAlgorithm = 1;
Mesh.SaveAll = 0;
