"""Tiny Hugging Face models that have learnt a few sentences by heart, made in a folder within seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SENTENCES = {
    "the cat sleeps": "le chat dort",
    "a dog sees the cat": "un chien voit le chat",
    "the river is wide": "la rivière est large",
    "my neighbour sings": "mon voisin chante",
}
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
STEPS = 120


def tokenizer(folder: Path, after: str = " </s>") -> Any:
    """Words at blanks, with an end after each text."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    words = sorted({word for pair in SENTENCES.items() for text in pair for word in text.split()})
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *words])}
    plain = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    plain.pre_tokenizer = WhitespaceSplit()
    plain.post_processor = TemplateProcessing(single=f"$A{after}", special_tokens=[("</s>", 2)])
    made = PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    made.save_pretrained(folder)
    return made


def seq2seq(folder: Path) -> Path:
    """An encoder-decoder that translates the sentences."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    words = tokenizer(folder)
    torch.manual_seed(1)
    size = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 24, "dropout": 0.0}
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
    config = BartConfig(vocab_size=len(words), forced_eos_token_id=2, **size, **heads, **ids)
    model = BartForConditionalGeneration(config)
    inputs = words(list(SENTENCES), padding=True, return_tensors="pt")
    labels = words(list(SENTENCES.values()), padding=True, return_tensors="pt")["input_ids"]
    labels[labels == 0] = -100
    _learn(model, labels=labels, input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
    model.save_pretrained(folder)
    return folder


def causal(folder: Path) -> Path:
    """A language model that knows the sentences."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    words = tokenizer(folder, after="")
    torch.manual_seed(1)
    size = {"n_positions": 24, "n_embd": 32, "n_layer": 1, "n_head": 2}
    drop = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(words), **size, **drop, **ids))
    inputs = words([f"<s> {sentence} </s>" for sentence in SENTENCES], padding=True, return_tensors="pt")
    labels = inputs["input_ids"].clone()
    labels[labels == 0] = -100
    _learn(model, labels=labels, input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
    model.save_pretrained(folder)
    return folder


def encoder(folder: Path) -> Path:
    """An encoder whose numbers are drawn at random."""
    import torch
    from transformers import BertConfig, BertModel

    words = tokenizer(folder)
    torch.manual_seed(1)
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=24, **size)).save_pretrained(folder)
    return folder


def _learn(model: Any, **batch: Any) -> None:
    import torch

    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(STEPS):
        optimiser.zero_grad()
        model(**batch).loss.backward()
        optimiser.step()
    model.eval()
