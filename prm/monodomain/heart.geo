// Both ventricles of a human heart, in millimetres: truncated ellipsoids, with the
// base in the plane z = 0 and the apex 70 mm below. They are spheres that are made
// twice as long. The left wall is 10 mm thick, the right one 4.4 mm at the base
// and 7 mm at its tip.
// gmsh -3 heart.geo
SetFactory("OpenCASCADE");

// Half n is the part below the base of the sphere with the centre (x, 0, z).
Macro Half
  Sphere(100 + n) = {x, 0, z, r};
  BooleanIntersection(n) = { Volume{100 + n}; Delete; }{ Volume{100}; };
Return
Box(100) = {-100, -100, -100, 200, 200, 100};
n = 1; x = 0;  z = 0;  r = 35;   Call Half; // left ventricle, outside
n = 2; x = 0;  z = -5; r = 25;   Call Half; // its cavity
n = 3; x = 22; z = 5;  r = 35;   Call Half; // right ventricle, outside
n = 4; x = 22; z = 4;  r = 30.5; Call Half; // its cavity
Delete{ Volume{100}; }

// The walls, 10 and 11; the septum belongs to the left one. The cavities, 2 and
// 12, divide the surfaces and are deleted in the end.
BooleanDifference(11) = { Volume{3}; Delete; }{ Volume{1, 4}; };
BooleanDifference(12) = { Volume{4}; Delete; }{ Volume{1}; };
BooleanDifference(10) = { Volume{1}; Delete; }{ Volume{2}; };
BooleanFragments{ Volume{10}; Delete; }{ Volume{2, 11, 12}; Delete; }
Dilate{ {0, 0, 0}, {1, 1, 2} }{ Volume{2, 10, 11, 12}; }

e = 0.01;
plane() = Surface In BoundingBox{-100, -100, -e, 100, 100, e};
left() = Abs(Boundary{ Volume{2}; });
left() -= plane();
right() = Abs(Boundary{ Volume{12}; });
right() -= plane();
epi() = Abs(CombinedBoundary{ Volume{10, 11}; });
base() = epi();
epi() -= left();
epi() -= right();
epi() -= plane();
base() -= left();
base() -= right();
base() -= epi();
Recursive Delete{ Volume{2, 12}; }

Physical Surface("epi") = epi();
Physical Surface("endo_left") = left();
Physical Surface("endo_right") = right();
Physical Surface("base") = base();
Physical Volume("left") = {10};
Physical Volume("right") = {11};

Mesh.MeshSizeMax = 4;
