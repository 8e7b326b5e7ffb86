"""Names, colours and order of methods, datasets and token categories, for tables and figures alike."""

METHOD_NAMES = {"none": "No watermark", "kgw": "KGW", "ewd": "EWD", "sweet": "SWEET", "stone": "STONE", "stone_plus": "STONE+",
                "stone_composed": "STONE+, composed only", "stone_coupled": "STONE+, coupled only",
                "codeip": "CodeIP", "watermod": "WaterMod", "acw": "ACW"}  # fmt: skip
DATASET_NAMES = {
    "mbppplus": "MBPP+",
    "humanevalplus": "HumanEval+",
    "hep-python": "HEP-Python",
    "hep-cpp": "HEP-C++",
    "hep-java": "HEP-Java",
    "mini-python": "Mini-Python",
    "mini-cpp": "Mini-C++",
    "mini-java": "Mini-Java",
}
CATEGORY_NAMES = {
    "keyword": "Keywords",
    "whitespace": "Whitespace",
    "type": "Types",
    "delimiter": "Delimiters",
    "operator": "Operators",
    "etc": "etc",
}
# Okabe and Ito's palette: distinct for colour-blind readers; order of lightness differs too.
METHOD_COLOURS = {"kgw": "#E69F00", "ewd": "#56B4E9", "sweet": "#D55E00", "stone": "#0072B2", "stone_plus": "#009E73",
                  "stone_composed": "#CC79A7", "stone_coupled": "#F0E442", "codeip": "#666666",
                  "watermod": "#999933", "acw": "#882255"}  # fmt: skip
METHOD_MARKERS = {
    "kgw": "s",
    "ewd": "D",
    "sweet": "^",
    "stone": "o",
    "stone_plus": "P",
    "stone_composed": "v",
    "stone_coupled": "X",
    "codeip": "*",
    "watermod": "p",
    "acw": "h",
}
METHOD_LINES = {"kgw": "--", "ewd": "-.", "sweet": ":", "stone": "-", "stone_plus": (0, (5, 1)), "stone_composed": (0, (3, 1, 1, 1)),
                "stone_coupled": (0, (1, 1)), "codeip": (0, (3, 2)), "watermod": (0, (5, 1, 1, 1, 1, 1)), "acw": (0, (1, 3))}  # fmt: skip
SOURCE_COLOURS = {"human": "#999999", "unmarked": "#E69F00", "marked": "#0072B2"}
