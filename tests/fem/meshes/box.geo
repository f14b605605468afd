// The unit square or cube, two cells high, in two halves of two materials. gmsh
// 4.8 made this folder's meshes of it (-setnumber dim 3 -setnumber hex 1
// -format msh22 ...), and VTK 9.1 made the .vtu from box_*.vtk.
SetFactory("Built-in");
n = 1;
Point(1) = {0,0,0}; Point(2) = {0.5,0,0}; Point(3) = {1,0,0};
Point(4) = {0,1,0}; Point(5) = {0.5,1,0}; Point(6) = {1,1,0};
Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {4,5}; Line(4) = {5,6};
Line(5) = {1,4}; Line(6) = {2,5}; Line(7) = {3,6};
Curve Loop(1) = {1,6,-3,-5}; Plane Surface(1) = {1};
Curve Loop(2) = {2,7,-4,-6}; Plane Surface(2) = {2};
Transfinite Curve{1,2,3,4} = n+1; Transfinite Curve{5,6,7} = 2*n+1;
Transfinite Surface{1,2};
If (hex > 0)
  Recombine Surface{1,2};
EndIf
If (dim == 2)
  Physical Curve("left", 11) = {5};
  Physical Curve("right", 12) = {7};
  Physical Surface("copper", 21) = {1};
  Physical Surface("steel", 22) = {2};
EndIf
If (dim == 3)
  If (hex > 0)
    out1[] = Extrude {0,0,1} { Surface{1}; Layers{1}; Recombine; };
    out2[] = Extrude {0,0,1} { Surface{2}; Layers{1}; Recombine; };
  Else
    out1[] = Extrude {0,0,1} { Surface{1}; Layers{1}; };
    out2[] = Extrude {0,0,1} { Surface{2}; Layers{1}; };
  EndIf
  Physical Surface("left", 11) = {out1[5]};
  Physical Surface("right", 12) = {out2[3]};
  Physical Volume("copper", 21) = {out1[1]};
  Physical Volume("steel", 22) = {out2[1]};
EndIf
