"""cyllama-sycl_job.py DEVICE SCRATCH: llama.cpp runs a model of random weights on the GPU and on the CPU: the same
tokens, and logits that differ by rounding alone."""
import array
import math
import os
import random
import struct
import sys

import cyllama.llama.llama_cpp as llama
from checks import finish, holds

WIDTH, INNER, HEADS, KEY_HEADS, LAYERS, WORDS, PLACES = 256, 512, 4, 2, 2, 320, 256
HEAD = WIDTH // HEADS
F32, F16 = 0, 1
PROMPT, TOKENS = 24, 4

# Types of values in the header of a GGUF file.
NUMBER, INTEGER, REAL, TEXT, LIST = 4, 5, 6, 8, 9


def text(value):
    return struct.pack("<Q", len(value)) + value


def encode(kind, value):
    if kind == TEXT:
        return text(value)
    return struct.pack({NUMBER: "<I", INTEGER: "<i", REAL: "<f"}[kind], value)


def entry(name, kind, value):
    if isinstance(value, list):
        body = struct.pack("<IIQ", LIST, kind, len(value)) + b"".join(encode(kind, one) for one in value)
    else:
        body = struct.pack("<I", kind) + encode(kind, value)
    return text(name.encode()) + body


def head_entries():
    pieces = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)]
    pieces += [b"w%d" % i for i in range(WORDS - len(pieces))]
    kinds = [2, 3, 3] + [6] * 256 + [1] * (WORDS - 259)
    numbers = {
        "context_length": PLACES,
        "embedding_length": WIDTH,
        "block_count": LAYERS,
        "feed_forward_length": INNER,
        "attention.head_count": HEADS,
        "attention.head_count_kv": KEY_HEADS,
        "rope.dimension_count": HEAD,
    }
    return [
        entry("general.architecture", TEXT, b"llama"),
        entry("general.file_type", NUMBER, F16),
        *(entry(f"llama.{name}", NUMBER, value) for name, value in numbers.items()),
        entry("llama.attention.layer_norm_rms_epsilon", REAL, 1e-5),
        entry("tokenizer.ggml.model", TEXT, b"llama"),
        entry("tokenizer.ggml.tokens", TEXT, pieces),
        entry("tokenizer.ggml.scores", REAL, [-float(i) for i in range(WORDS)]),
        entry("tokenizer.ggml.token_type", INTEGER, kinds),
    ]


def shapes():
    """Yields each tensor's name and shape, with a matrix's rows last."""
    yield "token_embd.weight", (WIDTH, WORDS)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, WORDS)
    for layer in range(LAYERS):
        for name, shape in {
            "attn_norm": (WIDTH,),
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (WIDTH, KEY_HEADS * HEAD),
            "attn_v": (WIDTH, KEY_HEADS * HEAD),
            "attn_output": (WIDTH, WIDTH),
            "ffn_norm": (WIDTH,),
            "ffn_gate": (WIDTH, INNER),
            "ffn_up": (WIDTH, INNER),
            "ffn_down": (INNER, WIDTH),
        }.items():
            yield f"blk.{layer}.{name}.weight", shape


def write_model(path):
    source = random.Random(5)
    infos, bodies, offset = [], [], 0
    for name, shape in shapes():
        count = math.prod(shape)
        is_matrix = len(shape) == 2
        middle, spread = (0, 1 / math.sqrt(shape[0])) if is_matrix else (1, 0.1)
        values = (source.gauss(middle, spread) for _ in range(count))
        body = struct.pack(f"<{count}{'e' if is_matrix else 'f'}", *values)
        infos.append(
            text(name.encode())
            + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, F16 if is_matrix else F32, offset)
        )
        bodies.append(body + bytes(-len(body) % 32))
        offset += len(bodies[-1])
    entries = head_entries()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(entries)) + b"".join(entries + infos)
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % 32) + b"".join(bodies))


def run(path, layers_on_gpu, micro_batch, forced):
    """Returns the tokens after a prompt, and the logits of each step; forced tokens replace the computed ones."""
    settings = llama.LlamaModelParams()
    settings.n_gpu_layers = layers_on_gpu
    model = llama.LlamaModel(path, settings)
    wanted = llama.LlamaContextParams()
    wanted.n_ctx, wanted.n_batch, wanted.n_ubatch = PLACES, PLACES, micro_batch
    wanted.n_threads = wanted.n_threads_batch = 2
    wanted.flash_attn_type = 1
    context = llama.LlamaContext(model, wanted)
    batch = llama.LlamaBatch(n_tokens=PLACES, embd=0, n_seq_max=1)
    tokens = [1] + [random.Random(i).randrange(3, WORDS) for i in range(PROMPT - 1)]
    chosen, logits, place = [], [], 0
    for step in range(TOKENS + 1):
        batch.reset()
        batch.set_batch(tokens, place, False)
        batch.set_last_logits_to_true()
        context.decode(batch)
        logits.append(array.array("f", context.get_logits_ith(-1)[:WORDS]))
        place += len(tokens)
        best = max(range(WORDS), key=logits[-1].__getitem__)
        chosen.append(best)
        tokens = [forced[step] if forced else best]
    return chosen, logits


def square_error(got, want):
    return sum((a - b) ** 2 for a, b in zip(got, want)) / sum(b * b for b in want)


llama.disable_logging()
llama.llama_backend_init()
llama.ggml_backend_load_all()
devices = [str(one) for one in llama.ggml_backend_dev_info()]
holds("right", "the GPU is listed", any("CUDA" in one or "SYCL" in one for one in devices), "; ".join(devices)[:150])
path = os.path.join(sys.argv[2], "random.gguf")
write_model(path)
tokens, logits = run(path, 99, PLACES, None)
# Even in a run on the CPU, llama.cpp computes products of 32 columns and more on the GPU.
exact_tokens, exact_logits = run(path, 0, 16, tokens)
worst = max(square_error(got, want) for got, want in zip(logits, exact_logits))
holds("right", f"{len(logits)} steps after a prompt of {PROMPT}", worst < 1e-4, f"square error {worst:.2g}")
holds("right", "tokens", tokens == exact_tokens, f"{tokens}, by the CPU {exact_tokens}")
finish("cyllama-sycl", "onemkl-sycl-blas")
