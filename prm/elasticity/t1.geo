// A quarter of the membrane of NAFEMS T1, in mm: 20 by 20 with a hot spot of
// radius 1.
Point(1) = {0, 0, 0, 0.15};
Point(2) = {1, 0, 0, 0.05};
Point(3) = {0, 1, 0, 0.05};
Point(4) = {10, 0, 0, 1};
Point(5) = {10, 10, 0, 1};
Point(6) = {0, 10, 0, 1};
Line(1) = {1, 2};
Circle(2) = {2, 1, 3};
Line(3) = {3, 1};
Line(4) = {2, 4};
Line(5) = {4, 5};
Line(6) = {5, 6};
Line(7) = {6, 3};
Curve Loop(1) = {1, 2, 3};
Plane Surface(1) = {1};
Curve Loop(2) = {4, 5, 6, 7, -2};
Plane Surface(2) = {2};
Physical Surface("hot") = {1};
Physical Surface("cold") = {2};
Physical Curve("plane y") = {1, 4};
Physical Curve("plane x") = {3, 7};
Physical Curve("free") = {5, 6};
