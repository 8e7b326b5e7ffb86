"""Syntax elements of Python, C++ and Java, and the class of every token of a vocabulary (paper, appendix table of syntax elements)."""

import re
from functools import lru_cache

import numpy as np

CATEGORIES = ("none", "keyword", "whitespace", "type", "delimiter", "operator")  # position = code in `classify`
MATCHES = ("exact", "composed")

_WHITESPACE = (" ", "\n", "\t")
SYNTAX_ELEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "python": {
        "keyword": tuple(
            "True False None and as assert async await break class continue def del elif else except finally for from global "
            "if import in is lambda nonlocal not or pass raise return try while with yield".split()
        ),
        "whitespace": _WHITESPACE,
        "type": tuple("int float complex str bytes bool list tuple set dict NoneType".split()),
        "delimiter": tuple("( ) [ ] { } , : . ; @ -> ...".split()),
        "operator": tuple("+ - * / % ** // = == != > < >= <= += -= *= /= %= //= **= & | << >> ^ ~".split()),
    },
    "cpp": {
        "keyword": tuple(
            "alignas alignof and and_eq asm auto bitand bitor break case catch class compl concept const consteval constexpr "
            "constinit const_cast continue co_await co_return co_yield decltype default delete do dynamic_cast else enum "
            "explicit export extern false for friend goto if inline mutable namespace new noexcept not not_eq nullptr "
            "operator or or_eq private protected public register reinterpret_cast requires return sizeof static "
            "static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename "
            "union using virtual volatile while xor xor_eq override".split()
        ),
        "whitespace": _WHITESPACE,
        "type": tuple(
            "int float double bool char short long void unsigned signed size_t ptrdiff_t wchar_t char8_t char16_t char32_t".split()
        ),
        "delimiter": tuple("( ) [ ] { } , : . ; -> :: ...".split()),
        "operator": tuple("+ - * / % ++ -- = == != > < >= <= && || ! & | ^ ~ << >> += -= *= /= %= &= |= ^= <<= >>= .* ->*".split()),
    },
    "java": {
        "keyword": tuple(
            "abstract assert break case catch class const continue default do else enum extends final finally for goto if "
            "implements import instanceof interface native new null package private protected public return static strictfp "
            "super switch synchronized this throw throws transient try void volatile while true false".split()
        ),
        "whitespace": _WHITESPACE,
        "type": tuple("byte short int long float double boolean char String Object".split()),
        "delimiter": tuple("( ) [ ] { } , : . ; @ -> :: ...".split()),
        "operator": tuple(
            "+ - * / % ++ -- = == != > < >= <= && || ! & | ^ ~ << >> >>> += -= *= /= %= &= |= ^= <<= >>= >>>=".split()
        ),
    },
}
LANGUAGES = tuple(SYNTAX_ELEMENTS)


def _elements(language: str) -> dict[str, int]:
    """Every syntax element of the language with the code of its category."""
    return {e: CATEGORIES.index(name) for name, elements in SYNTAX_ELEMENTS[language].items() for e in elements}


def _classify_exact(texts: list[str], language: str) -> np.ndarray:
    """The release's rule: the decoded token, as it is or stripped, is an element."""
    codes = _elements(language)
    return np.array([codes.get(t) or codes.get(t.strip(), 0) for t in texts], dtype=np.int8)


def _classify_composed(texts: list[str], language: str) -> np.ndarray:
    """The token splits completely into elements and white space; it takes the category of its first element that is not white."""
    codes = _elements(language)
    longest_first = sorted(codes, key=len, reverse=True)
    words = "|".join(re.escape(e) for e in longest_first if e[0].isalpha())
    marks = "|".join(re.escape(e) for e in longest_first if not e[0].isalpha() and not e.isspace())
    element = re.compile(rf"(?<!\w)(?:{words})(?!\w)|{marks}")
    whole = re.compile(rf"(?:\s|(?<!\w)(?:{words})(?!\w)|{marks})+")

    def code(text: str) -> int:
        if not whole.fullmatch(text):
            return 0
        first = element.search(text)
        return codes[first.group()] if first else CATEGORIES.index("whitespace")

    return np.array([code(t) for t in texts], dtype=np.int8)


def decode_each(tokenizer, ids) -> list[str]:
    """Each id decoded by itself, special tokens as the empty string."""
    return tokenizer.batch_decode([[i] for i in ids], skip_special_tokens=True, clean_up_tokenization_spaces=False)


@lru_cache(maxsize=16)
def _classify(tokenizer, language: str, match: str, vocab_size: int) -> np.ndarray:
    known = min(vocab_size, len(tokenizer))
    rule = {"exact": _classify_exact, "composed": _classify_composed}[match]
    classes = np.zeros(vocab_size, dtype=np.int8)
    classes[:known] = rule(decode_each(tokenizer, range(known)), language)
    classes.setflags(write=False)
    return classes


def classify(tokenizer, language: str, match: str = "exact", vocab_size: int | None = None) -> np.ndarray:
    """Syntax class of every token: int8 [V], 0 none, 1 keyword, 2 whitespace, 3 type, 4 delimiter, 5 operator (read-only).

    Parameters
    ----------
    tokenizer : a transformers tokenizer.
    language : "python", "cpp" or "java".
    match : "exact" is the paper's set with the release's matching (token or stripped token in S); "composed" also takes tokens
        that split completely into elements and white space, such as `):\\n` or a run of spaces.
    vocab_size : V of the logits; ids without a token get 0. Default: len(tokenizer).

    Raises ValueError for an unknown language or match.
    """
    if language not in SYNTAX_ELEMENTS:
        raise ValueError(f"language {language!r} is unknown; choose one of {', '.join(LANGUAGES)}")
    if match not in MATCHES:
        raise ValueError(f"match {match!r} is unknown; choose one of {', '.join(MATCHES)}")
    return _classify(tokenizer, language, match, len(tokenizer) if vocab_size is None else vocab_size)
