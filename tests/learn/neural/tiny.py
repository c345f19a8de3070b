"""Tiny encoders and corpora for the neural classifiers, made in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherwords.learn.data.examples import LabelledPairs
from otherwords.records import Pair

WORDS = ["the", "a", "cat", "dog", "river", "house", "sleeps", "runs", "is", "wide", "old", "quickly", "today", "."]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
OPTIONS = {"epochs": 2, "batch": 4, "length": 24, "threads": 1}  # threads cost more than such a model gains


def word_pieces(folder: Path) -> Any:
    """A WordPiece tokenizer that frames pairs like BERT's."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    pieces = [*SPECIAL, *WORDS, "##s", *"bcdefgh", *(f"##{letter}" for letter in "abcdefgh")]
    plain = Tokenizer(WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    plain.normalizer, plain.pre_tokenizer = Lowercase(), BertPreTokenizer()
    plain.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    inputs = ["input_ids", "token_type_ids", "attention_mask"]
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, mask_token="[MASK]", model_max_length=40, model_input_names=inputs, **names
    )
    tokenizer.save_pretrained(folder)
    return tokenizer


def bert(folder: Path) -> Path:
    """An encoder of two layers whose numbers are drawn at random."""
    import torch
    from transformers import BertConfig, BertModel

    tokenizer = word_pieces(folder)
    torch.manual_seed(1)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=len(tokenizer), max_position_embeddings=40, **size)).save_pretrained(folder)
    return folder


def t5(folder: Path) -> Path:
    """An encoder-decoder of one layer whose numbers are drawn at random; it can write two labels."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    words = ["<pad>", "</s>", "<unk>", *WORDS, "mrpc", "sentence1:", "sentence2:", "equivalent", "not_equivalent"]
    plain = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    plain.pre_tokenizer = WhitespaceSplit()
    plain.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    names = {"unk_token": "<unk>", "pad_token": "<pad>", "eos_token": "</s>"}
    PreTrainedTokenizerFast(tokenizer_object=plain, model_max_length=60, **names).save_pretrained(folder)
    torch.manual_seed(1)
    size = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    T5ForConditionalGeneration(T5Config(vocab_size=len(words), **size, **ids)).save_pretrained(folder)
    return folder


def examples(labels: Sequence[str], count: int, name: str = "train") -> LabelledPairs:
    """Pairs of made-up sentences of different lengths; pairs whose label begins with 4 or p share their words."""
    pairs, given = [], []
    for number in range(count):
        label = labels[number % len(labels)]
        words = [WORDS[(number * 7 + place * (3 + number % 5)) % len(WORDS)] for place in range(2 + number % 7)]
        other = list(reversed(words)) if label[0] in "4p" else [WORDS[(number + place) % 14] for place in range(4)]
        pairs.append(Pair(id=f"{name}-{number}", text1=" ".join(words), text2=" ".join(other)))
        given.append(label)
    return LabelledPairs(name, pairs, given)
