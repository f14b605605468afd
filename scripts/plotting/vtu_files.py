"""Reads the fields of .vtu, .pvtu and .vtkhdf files, and the files that a .pvd file lists."""
import base64
import os
import struct
import xml.etree.ElementTree as xml
import zlib

import numpy as np

TYPES = {"Float32": "f4", "Float64": "f8", "Int32": "i4", "Int64": "i8",
         "UInt32": "u4", "UInt64": "u8", "UInt8": "u1", "Int8": "i1"}
# The corners, in order, of the faces of each cell type of VTK. Faces are divided into
# linear parts.
PLANE = {5: [[0, 1, 2]], 9: [[0, 1, 2, 3]],
         22: [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]}
SOLID = {10: [[0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]],
         12: [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6],
              [3, 0, 4, 7]],
         24: [[a, b, c] for f in ([0, 1, 2, 4, 5, 6], [0, 1, 3, 4, 8, 7],
                                  [1, 2, 3, 5, 9, 8], [0, 2, 3, 6, 9, 7])
              for a, b, c in ([f[0], f[3], f[5]], [f[3], f[1], f[4]],
                              [f[5], f[4], f[2]], [f[3], f[4], f[5]])]}


def values(array, head, compressed):
    """Returns the numbers of a DataArray: ascii, or base64 with or without zlib."""
    kind = np.dtype("<" + TYPES[array.get("type")])
    text = (array.text or "").strip()
    if array.get("format", "ascii") == "ascii":
        return np.array(text.split(), dtype=kind)
    size = struct.calcsize(head)
    if not compressed:
        return np.frombuffer(base64.b64decode(text)[size:], dtype=kind)
    # The header is [blocks, size of a block, size of the last, compressed sizes...].
    blocks = struct.unpack("<" + head, base64.b64decode(text[:16])[:size])[0]
    length = 4 * ((size * (3 + blocks) + 2) // 3)
    header = base64.b64decode(text[:length])
    sizes = struct.unpack(f"<{blocks}{head}", header[3 * size:(3 + blocks) * size])
    data = base64.b64decode(text[length:])
    parts, at = [], 0
    for n in sizes:
        parts.append(zlib.decompress(data[at:at + n]))
        at += n
    return np.frombuffer(b"".join(parts), dtype=kind)


def parse(path):
    """Returns the grid of a file and the function that returns the numbers of its arrays."""
    root = xml.parse(path).getroot()
    piece = root.find(".//Piece")
    if piece is None:
        raise ValueError("it holds no UnstructuredGrid")
    head = {"UInt32": "I", "UInt64": "Q"}[root.get("header_type", "UInt32")]
    compressed = root.get("compressor") == "vtkZLibDataCompressor"
    return piece, lambda array: values(array, head, compressed)


def parse_hdf(path):
    """Returns what `parse` does for every piece of a .vtkhdf file."""
    try:
        import h5py
    except ImportError:
        raise ValueError("this needs the Debian package python3-h5py") from None

    def in_order(group):
        """Returns the members as they were made, if the group knows that."""
        names = []
        tracked = group.id.get_create_plist().get_link_creation_order()
        group.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER if tracked
                               else h5py.h5.INDEX_NAME)
        return {name.decode(): group[name] for name in names}

    with h5py.File(path, "r") as file:
        root = file.get("VTKHDF")
        if root is None or root.attrs.get("Type") != b"UnstructuredGrid":
            raise ValueError("it holds no UnstructuredGrid")
        if "Steps" in root:
            raise ValueError("it holds steps in time")
        sections = {"Points": {"Points": root["Points"]},
                    "Cells": {name.lower(): root[name]
                              for name in ("Connectivity", "Offsets", "Types")},
                    **{name: in_order(root[name]) if name in root else {}
                       for name in ("PointData", "CellData")}}
        counts = {name: root["NumberOf" + name][:] for name in
                  ("Points", "Cells", "ConnectivityIds")}
        counts = {"Points": counts["Points"], "PointData": counts["Points"],
                  "connectivity": counts["ConnectivityIds"], "offsets": counts["Cells"] + 1,
                  "types": counts["Cells"], "CellData": counts["Cells"]}
        pieces = []
        for p in range(len(counts["types"])):
            piece, arrays = xml.Element("Piece"), {}
            for section, datasets in sections.items():
                parent = xml.SubElement(piece, section)
                for name, dataset in datasets.items():
                    n = counts.get(section, counts.get(name))
                    array = xml.SubElement(parent, "DataArray", Name=name, NumberOfComponents=str(
                        np.prod(dataset.shape[1:], dtype=int)))
                    arrays[array] = dataset[n[:p].sum():n[:p + 1].sum()].reshape(-1)
            pieces.append((piece, arrays.__getitem__))
    return pieces


def fields_of(piece, section, components):
    """Returns the arrays of `PointData` or `CellData` with so many components, by name."""
    return {a.get("Name"): a for a in piece.iterfind(section + "/DataArray")
            if int(a.get("NumberOfComponents", "1")) == components}


def parse_pieces(path):
    """Returns what `parse` does for every file that a .pvtu file lists, for every piece of a
    .vtkhdf file, or for the file."""
    if path.endswith(".vtkhdf"):
        return parse_hdf(path)
    if not path.endswith(".pvtu"):
        return [parse(path)]
    pieces = [parse(os.path.join(os.path.dirname(path), piece.get("Source")))
              for piece in xml.parse(path).getroot().iterfind(".//Piece")]
    if not pieces:
        raise ValueError("it lists no files")
    return pieces


def read_vectors(path, name, everywhere=False):
    """Returns the vectors of a field in the cells, or at their first corners, or at all
    points, [n][3]."""
    return np.concatenate([vectors_of(piece, get, name, everywhere)
                           for piece, get in parse_pieces(path)])


def vectors_of(piece, get, name, everywhere):
    in_cells, at_points = (fields_of(piece, section, 3) for section in ("CellData", "PointData"))
    if name in in_cells:
        return get(in_cells[name]).reshape(-1, 3).astype(float)
    if name not in at_points:
        raise ValueError(f'it holds no vectors "{name}"')
    cells = {a.get("Name"): a for a in piece.find("Cells")}
    count = len(get(cells["types"]))
    corners = get(cells["connectivity"]).reshape(count, -1)
    vectors = get(at_points[name]).reshape(-1, 3).astype(float)
    return vectors if everywhere else vectors[corners[:, 0]]


def read(path, field, deform=None):
    """Returns points [n][3], cells (indices of points), the polygons of a cell (places in
    it), whether the cells are solid, the field's name, whether it has values of cells,
    and the values. Points are moved by the field `displacement` times `deform`, if that is
    given."""
    parts = [read_piece(piece, get, field, deform) for piece, get in parse_pieces(path)]
    starts = np.cumsum([0] + [len(part[0]) for part in parts])
    points, cells, values_ = (
        np.concatenate(arrays) for arrays in (
            [part[0] for part in parts],
            [part[1] + start for part, start in zip(parts, starts)],
            [part[6] for part in parts]))
    return points, cells, *parts[0][2:6], values_


def read_piece(piece, get, field, deform):
    """Returns what `read` returns, of one piece."""
    cells = {a.get("Name"): a for a in piece.find("Cells")}
    points = get(piece.find("Points/DataArray")).reshape(-1, 3).astype(float)
    types = get(cells["types"])
    count = len(types)
    types = np.unique(types)
    if len(types) != 1 or types[0] not in {**PLANE, **SOLID}:
        raise ValueError("it holds cells that are neither triangles, quadrilaterals, "
                         "tetrahedra nor hexahedra, or several types of them")
    solid = types[0] in SOLID
    connectivity = get(cells["connectivity"]).reshape(count, -1)
    faces = (SOLID if solid else PLANE)[types[0]]
    at_points = fields_of(piece, "PointData", 1)
    fields = {**fields_of(piece, "CellData", 1), **at_points}
    if not fields:
        raise ValueError("it holds no scalar field")
    name = field or next(iter(at_points or fields))
    if name not in fields:
        raise ValueError(f'it holds no field "{name}" but {", ".join(fields)}')
    if deform is not None:
        moves = [a for a in piece.find("PointData") if a.get("Name") == "displacement"]
        if not moves:
            raise ValueError('it holds no field "displacement"')
        u = get(moves[0]).reshape(len(points), -1).astype(float)
        largest = np.linalg.norm(u, axis=1).max()
        if deform == "auto":
            deform = 0.05 * np.ptp(points, axis=0).max() / largest if largest > 0 else 0
        points = points + float(deform) * np.pad(u, ((0, 0), (0, 3 - u.shape[1])))
    of_cells = name not in at_points
    return points, connectivity, faces, solid, name, of_cells, get(fields[name])


def read_series(path):
    """Returns the times of a .pvd file and the paths of their files, in order."""
    found = [(float(item.get("timestep")), os.path.join(os.path.dirname(path), item.get("file")))
             for item in xml.parse(path).getroot().iterfind(".//DataSet")]
    if not found:
        raise ValueError("it lists no files")
    return sorted(found)
