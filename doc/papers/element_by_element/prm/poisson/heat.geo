// A plate of 3 x 2 with five round holes, by unstructured quadrilaterals: hot on
// the left, cold on the right, and insulated elsewhere.
SetFactory("OpenCASCADE");

Rectangle(1) = {0, 0, 0, 3, 2};
Disk(11) = {0.60, 0.50, 0, 0.25};
Disk(12) = {0.70, 1.45, 0, 0.30};
Disk(13) = {1.50, 1.00, 0, 0.35};
Disk(14) = {2.30, 0.55, 0, 0.30};
Disk(15) = {2.40, 1.50, 0, 0.20};
plate() = BooleanDifference{ Surface{1}; Delete; }
                           { Surface{11:15}; Delete; };

e = 0.001;
all() = Boundary{ Surface{plate()}; };
hot() = Curve In BoundingBox {-e, -e, -e, e, 2 + e, e};
cold() = Curve In BoundingBox {3 - e, -e, -e, 3 + e, 2 + e, e};
free() = all();
free() -= hot();
free() -= cold();

Physical Curve("hot", 1) = hot();
Physical Curve("cold", 2) = cold();
Physical Curve("insulated", 3) = free();
Physical Surface("plate", 10) = plate();

Mesh.MeshSizeMax = 0.05;
Mesh.Algorithm = 6;
Mesh.SubdivisionAlgorithm = 1;  // cuts every triangle into three quadrilaterals
