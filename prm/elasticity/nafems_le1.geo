// A quarter of an elliptic membrane with an elliptic hole: D and C lie on the x
// axis, A and B on the y axis. There are n cells along the hole and 2 n / 3
// across; they are smaller towards D, where the stress is largest.
n = 48;

Point(1) = {0, 0, 0};    // the centre
Point(2) = {2, 0, 0};    // D
Point(3) = {3.25, 0, 0}; // C
Point(4) = {0, 2.75, 0}; // B
Point(5) = {0, 1, 0};    // A
Line(1) = {2, 3};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {4, 5};
Ellipse(4) = {5, 1, 2, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Transfinite Curve {1, -3} = 2 * n / 3 + 1 Using Progression 1.03;
Transfinite Curve {2, -4} = n + 1 Using Progression 1.03;
Transfinite Surface {1};
Recombine Surface {1};

Physical Curve("on_x_axis", 1) = {1};
Physical Curve("outside", 2) = {2};
Physical Curve("on_y_axis", 3) = {3};
Physical Curve("hole", 4) = {4};
Physical Surface("steel", 1) = {1};
