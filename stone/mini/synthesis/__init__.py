"""The synthetic corpus that the embedded models are trained on: many wordings, names and valid bodies of some fifty small tasks."""

from stone.mini.synthesis.generator import Document, documents

__all__ = ["Document", "documents"]
