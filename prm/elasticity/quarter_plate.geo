// A quarter of a strip of half length 10 and half width 5 with a hole of radius 1
// in its middle. There are n cells along the hole and 2 n towards the end; they
// are smaller towards the hole.
n = 24;

Point(1) = {0, 0, 0}; // the centre
Point(2) = {1, 0, 0};
Point(3) = {Sqrt(2) / 2, Sqrt(2) / 2, 0};
Point(4) = {0, 1, 0}; // where the stress is largest
Point(5) = {10, 0, 0};
Point(6) = {10, 5, 0};
Point(7) = {0, 5, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Line(3) = {2, 5};
Line(4) = {3, 6};
Line(5) = {4, 7};
Line(6) = {5, 6};
Line(7) = {6, 7};
Curve Loop(1) = {3, 6, -4, -1};
Plane Surface(1) = {1};
Curve Loop(2) = {4, 7, -5, -2};
Plane Surface(2) = {2};

Transfinite Curve {1, 2, 6, 7} = n + 1;
Transfinite Curve {3, 4} = 2 * n + 1 Using Progression 1.06;
Transfinite Curve {5} = 2 * n + 1 Using Progression 1.05;
Transfinite Surface {1, 2};
Recombine Surface {1, 2};

Physical Curve("hole", 1) = {1, 2};
Physical Curve("plane y", 2) = {3};
Physical Curve("plane x", 3) = {5};
Physical Curve("end", 4) = {6};
Physical Curve("side", 5) = {7};
Physical Surface("plate", 1) = {1, 2};
