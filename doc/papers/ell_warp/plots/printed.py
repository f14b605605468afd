"""Numbers from the tables of Wong, Kuhl and Darve (2015), measured on a GeForce GTX 480 in
double. Matrices have their names of doc/matrices.md."""

MATRICES = ("circuit", "economics", "epidemiology", "fem_accelerator", "fem_cantilever",
            "fem_harbor", "fem_ship", "fem_spheres", "heart_3k", "heart_5k", "heart_30k",
            "protein", "qcd", "webbase", "wind_tunnel")


def by_matrix(*lines):
    return dict(zip(MATRICES, lines))


# Table 2: entries, rows, shortest and longest row.
ENTRIES = by_matrix(
    (958936, 170998, 1, 353), (1273389, 206500, 1, 44), (2100225, 525825, 2, 4),
    (2624331, 121192, 8, 81), (4007383, 62451, 1, 78), (2374001, 46835, 4, 145),
    (7813404, 140874, 24, 102), (6010480, 83334, 1, 81), (37035, 3129, 5, 21),
    (52715, 4563, 6, 22), (367443, 28639, 6, 24), (4344765, 36417, 18, 204),
    (1916928, 49152, 39, 39), (3105536, 1000005, 1, 4700), (11634424, 217918, 2, 180))

# Table 4: number of products after which K1 on the device, K1 on the host, K2 on the
# device and K2 on the host have paid off. None means never.
BREAK_EVEN = by_matrix(
    (3, 15, 3, 12), (3, 12, 3, 13), (2, 20, 2, 21), (3, 12, 3, 12), (12, 50, 9, 39),
    (7, 27, 7, 28), (8, 27, 8, 24), (10, 34, 10, 34), (1, 4, 1, 4), (1, 5, 1, 5),
    (3, 10, 3, 10), (21, 96, 21, 91), (4, 17, 4, 17), (None, None, 2, 12), (8, 26, 8, 24))

# Table 6 in per cent: fewer stored places, less time with and without the texture
# cache. HeartCoarse, Heart and HeartRefined are taken for 3K, 5K and 30K.
SORTING = {"circuit": (59.89, 21.16, -17.38), "epidemiology": (0.14, -2.10, -4.35),
           "fem_harbor": (33.67, 0., 0.), "heart_3k": (33.73, 22.67, 10.42),
           "heart_5k": (29.60, 3., -28.22), "heart_30k": (30.03, 5.79, -46.80),
           "qcd": (0., 0.47, 0.49)}

# Tables 7 to 9, and table 3 for one product: the best parameters by the number of
# consecutive products.
VALUES_PER_THREAD = {
    1: by_matrix(6, 6, 6, 6, 10, 10, 10, 10, 12, 10, 10, 10, 10, 6, 10),
    50: by_matrix(6, 6, 4, 6, 10, 12, 10, 12, 10, 8, 10, 16, 10, 4, 10),
    1200: by_matrix(4, 6, 4, 4, 10, 16, 10, 12, 10, 8, 6, 16, 10, 4, 10)}
K1_BLOCK = {
    1: by_matrix(64, 64, 128, 64, 64, 96, 96, 96, 32, 64, 64, 64, 224, 32, 96),
    50: by_matrix(64, 64, 128, 64, 64, 96, 96, 96, 32, 32, 64, 96, 224, 32, 96),
    1200: by_matrix(64, 64, 128, 64, 64, 96, 96, 96, 32, 64, 64, 96, 224, 32, 96)}
K2_THRESHOLD = {
    1: by_matrix(80, 7, 4, 58, 19, 128, 28, 47, 7, 10, 21, 172, 39, 658, 38),
    50: by_matrix(38, 7, 4, 57, 19, 132, 27, 81, 7, 13, 17, 167, 39, 682, 37),
    1200: by_matrix(112, 7, 4, 58, 19, 139, 27, 81, 6, 6, 17, 171, 39, 672, 38)}
K2_BLOCK = {
    1: by_matrix(160, 96, 128, 64, 224, 96, 128, 128, 256, 192, 64, 96, 96, 128, 96),
    50: by_matrix(128, 96, 128, 64, 224, 96, 128, 96, 256, 96, 64, 96, 224, 128, 96),
    1200: by_matrix(160, 96, 128, 64, 224, 96, 128, 96, 192, 192, 64, 96, 128, 128, 96)}
