"""Key-value caches: one with room for the tokens to come (transformers' own is copied whole for every token), and rows that leave."""

import inspect

import torch
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

_ROOM = 64  # tokens


class RoomyLayer(DynamicLayer):
    """One layer's keys and values, [B, heads, tokens, dimension]: the first tokens of buffers that have room for more.

    A selection of rows or a cut puts other tensors in their place; the next token moves those to new buffers.
    """

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        super().lazy_initialization(key_states, value_states)
        self.keys, self.values = key_states[:, :, :0], value_states[:, :, :0]
        self._buffers: list[torch.Tensor] = []
        self._shown: torch.Tensor | None = None

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *args, **kwargs) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start = self.keys.shape[2]
        stop = start + key_states.shape[2]
        if self.keys is not self._shown or stop > self._buffers[0].shape[2]:
            self._buffers = [_with_room(tensor, stop + _ROOM) for tensor in (self.keys, self.values)]
        for buffer, states in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:, :, start:stop] = states
        self.keys, self.values = (buffer[:, :, :stop] for buffer in self._buffers)
        self._shown = self.keys
        return self.keys, self.values


def _with_room(tensor: torch.Tensor, tokens: int) -> torch.Tensor:
    batch, heads, held, width = tensor.shape
    buffer = tensor.new_empty(batch, heads, tokens, width)
    buffer[:, :, :held] = tensor
    return buffer


def roomy_cache(model) -> DynamicCache | None:
    """An empty cache for `model.generate`; None, so that transformers makes its own, for a model that wants another kind, or whose layers
    don't all keep all tokens (sliding windows, linear attention)."""
    takes_one = "past_key_values" in inspect.signature(model.forward).parameters and not model.config.is_encoder_decoder
    if not takes_one or not model._supports_default_dynamic_cache():
        return None
    cache = DynamicCache(config=model.config)
    if any(type(layer) is not DynamicLayer for layer in cache.layers):
        return None
    cache.layers = [RoomyLayer() for _ in cache.layers]
    return cache


def with_rows(cache, rows: torch.Tensor):
    """The cache with these rows alone (ids on the CPU: its layers may be on several devices); None, so that the model reads its texts again,
    for one that holds more than keys and values (linear attention, convolutions)."""
    whole = (RoomyLayer, DynamicLayer, DynamicSlidingWindowLayer)
    if any(type(layer) not in whole for layer in getattr(cache, "layers", [None])):
        return None
    cache.batch_select_indices(rows)
    return cache
