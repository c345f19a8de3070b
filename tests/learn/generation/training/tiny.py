"""Tiny models that write, with numbers drawn at random, and sentences that they learn."""

from __future__ import annotations

from pathlib import Path

from tests.learn.neural.tiny import WORDS

SENTENCES = [
    ("the cat sleeps today", "today a cat is asleep"),
    ("the river is wide", "wide runs the river"),
    ("a dog runs quickly", "quickly goes the dog"),
    ("the house is old", "it is an old house"),
    ("my cat runs today", "it runs now my cat"),
    ("a river runs quickly", "the water goes quickly"),
]
REGULAR = [
    (f"the {noun} is {word}", f"{word} is the {noun}")
    for noun in ("cat", "dog", "river", "house", "water")
    for word in ("wide", "old", "asleep", "quickly", "today", "now")
]
MORE = ["asleep", "goes", "it", "an", "my", "now", "water", "no", "Sentence:", "In", "other", "words:", "paraphrase:"]


def tokenizer(folder: Path, after: str) -> int:
    """Words at blanks; how many there are."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    words = ["<pad>", "</s>", "<unk>", *WORDS, *MORE]
    plain = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    plain.pre_tokenizer = WhitespaceSplit()
    plain.post_processor = TemplateProcessing(single=f"$A{after}", special_tokens=[("</s>", 1)])
    names = {"unk_token": "<unk>", "pad_token": "<pad>", "eos_token": "</s>"}
    PreTrainedTokenizerFast(tokenizer_object=plain, model_max_length=60, **names).save_pretrained(folder)
    return len(words)


def llama(folder: Path) -> Path:
    """A causal language model of one layer."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer(folder, "")
    torch.manual_seed(1)
    size = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    ids = {"pad_token_id": 0, "bos_token_id": None, "eos_token_id": 1}
    config = LlamaConfig(vocab_size=words, max_position_embeddings=60, tie_word_embeddings=True, **size, **ids)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def t5(folder: Path) -> Path:
    """An encoder-decoder of one layer."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    words = tokenizer(folder, " </s>")
    torch.manual_seed(1)
    size = {"d_model": 32, "d_kv": 16, "d_ff": 32, "num_layers": 1, "num_heads": 2, "dropout_rate": 0.0}
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    T5ForConditionalGeneration(T5Config(vocab_size=words, **size, **ids)).save_pretrained(folder)
    return folder
