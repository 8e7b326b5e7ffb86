"""Green masks for insertion: drawn once per context and kept, as bits, on the device of the scores."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch

from stone.partition import Partition, in_threads


class GreenMasks:
    """Green masks of one partition. They are drawn on the CPU; the most recently used ones stay on the device, V/8 bytes each, so that a step
    transfers its context ids and new masks only. A GPU computes direct ones (`portable`) itself, without any transfer.

    Parameters
    ----------
    partition : Partition.
    max_bytes : bound of what is kept (one batch's masks are kept in any case).
    """

    def __init__(self, partition: Partition, max_bytes: int):
        self.partition, self.row_bytes = partition, -(-partition.vocab_size // 8)
        self.max_rows = max_bytes // self.row_bytes
        self._folds = self._used = np.empty(0, dtype=np.int64)  # per kept row: its fold, and when it was last used (-1: free)
        self._clock, self._direct = 0, getattr(partition, "direct_masks", None)
        self._bits = torch.empty((0, self.row_bytes), dtype=torch.uint8)

    @torch.inference_mode(False)  # what is kept may be written outside that mode too
    def prepare(self, windows: torch.Tensor) -> torch.Tensor:
        """Handles [B, ...] of the masks after windows, ids [B, h]; `read` takes any rows of them."""
        if self._direct_on(windows.device):
            return windows
        folds, inverse = np.unique(self.partition.folds(windows.cpu().numpy()), return_inverse=True)
        self._bits = self._bits.to(windows.device)
        self._clock += 1
        same = (folds[:, None] == self._folds) & (self._used >= 0)
        known = same.any(axis=1)
        rows = same.argmax(axis=1) if same.size else np.zeros(len(folds), dtype=np.int64)
        self._used[rows[known]] = self._clock
        if not known.all():
            rows[~known] = self._keep(folds[~known], len(folds))
        return torch.from_numpy(rows[inverse]).to(windows.device)

    def read(self, handles: torch.Tensor) -> torch.Tensor:
        """Green masks, bool [B, V], of handles [B, ...]."""
        direct = self._direct_on(handles.device)
        if direct:
            return direct(handles)
        bits = self._bits.index_select(0, handles).view(-1).int()
        masks = _eight(bits.device).index_select(0, bits).view(torch.bool).view(-1, 8 * self.row_bytes)
        return masks[:, : self.partition.vocab_size]

    def _direct_on(self, device: torch.device) -> Callable[[torch.Tensor], torch.Tensor] | None:
        return self._direct if device.type != "cpu" else None

    def _keep(self, folds: np.ndarray, batch: int) -> np.ndarray:
        """Draw the masks of folds; returns the rows where they are kept now, in place of the least recently used."""
        packed = in_threads(lambda fold: np.packbits(self.partition.mask_of_fold(fold), bitorder="little"), folds.tolist())
        missing = len(folds) - int((self._used < 0).sum())
        more = min(max(missing, len(self._folds)), max(self.max_rows, batch) - len(self._folds))
        if missing > 0 and more > 0:
            self._folds, self._used = (np.concatenate([each, np.full(more, -1)]) for each in (self._folds, self._used))
            self._bits = torch.cat([self._bits, self._bits.new_empty((more, self.row_bytes))])
        rows = np.argsort(self._used, kind="stable")[: len(folds)]
        self._folds[rows], self._used[rows] = folds, self._clock
        self._bits[torch.from_numpy(rows).to(self._bits.device)] = torch.from_numpy(np.stack(packed)).to(self._bits.device)
        return rows


@lru_cache(maxsize=4)
def _eight(device: torch.device) -> torch.Tensor:
    """The eight bools of each byte value, lowest bit first, as one int64 each."""
    byte = torch.arange(256, device=device)
    return ((byte[:, None] >> torch.arange(8, device=device)) & 1).to(torch.uint8).view(torch.int64)[:, 0]
