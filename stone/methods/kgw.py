"""KGW (Kirchenbauer et al. 2023): green tokens always get +delta; every token counts the same."""

from stone.methods.method import Method, every_token

METHOD = Method(name="kgw", selected=every_token, weights=lambda text: every_token(text).astype(float))
