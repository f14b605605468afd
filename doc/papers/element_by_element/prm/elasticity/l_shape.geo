// An L of arms that are 1 wide and 4 long, by three sets of squares: n of them
// across an arm, 7 n^2 in all.
n = 25;

Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {4, 0, 0};
Point(4) = {4, 1, 0};
Point(5) = {1, 1, 0};
Point(6) = {1, 4, 0};
Point(7) = {0, 4, 0};
Point(8) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 1};
Line(9) = {2, 5};
Line(10) = {5, 8};
Curve Loop(1) = {1, 9, 10, 8};
Curve Loop(2) = {2, 3, 4, -9};
Curve Loop(3) = {-10, 5, 6, 7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};

Transfinite Curve {1, 3, 6, 8, 9, 10} = n + 1;
Transfinite Curve {2, 4, 5, 7} = 3 * n + 1;
Transfinite Surface {1, 2, 3};
Recombine Surface {1, 2, 3};

Physical Curve("clamped", 1) = {6};
Physical Curve("loaded", 2) = {3};
Physical Curve("free", 3) = {1, 2, 4, 5, 7, 8};
Physical Surface("steel", 1) = {1, 2, 3};
