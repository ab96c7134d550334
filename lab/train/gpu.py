#!/usr/bin/env python3
"""Trains a network on a GPU with PyTorch: what `luft-lab train` does, without its promise of the same bytes on every machine.

    luft-lab handover positions GAMES... --out all.positions --draw-share 0.8 --scale 250
    luft-lab handover weights --start NET --width 768 --buckets 8 --king-buckets 4 --layers 2 --out first.floats
    lab/train/gpu.py first.floats all.positions --out trained.floats --epochs 6
    luft-lab handover network trained.floats --out new.nnue

The model, its loss and its steps are those of lab/train/model.h, stack.h and optim.h. Inputs are so few (768 for each king bucket)
that a matrix of zeros and ones times the weights is faster on a GPU than gathering rows. Needs PyTorch and NumPy.
"""

import argparse
import ctypes
import math
import os
import struct
import subprocess
import sys
import tempfile
import time

import numpy
import torch

CLIP = 1.98                                   # WEIGHT_CLIP in src/nnue/arch.h
VALUE_ONE = 400
ROW = 32                                      # bytes of a TrainingPosition
PARTS = {4: [0, 0, 1, 1, 2, 2, 2, 2] + [3] * 24,   # king buckets, as lab/train/model.c has them
         8: [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6] + [7] * 20,
         1: [0] * 32}
CHUNK = 1 << 20                               # positions that are prepared together


def text_hash(data):
    """The low 32 bits of FNV-1a with 64 bits: bytes one by one, so in C."""
    source = ("#include <stddef.h>\n#include <stdint.h>\nuint64_t hash(const unsigned char *p, size_t n) {"
              "uint64_t h = 14695981039346656037u; for (size_t i = 0; i < n; i++) { h ^= p[i]; h *= 1099511628211u; } return h; }")
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/hash.c", "w", encoding="ascii") as file:
            file.write(source)
        subprocess.check_call(["cc", "-O2", "-shared", "-fPIC", folder + "/hash.c", "-o", folder + "/hash.so"])
        function = ctypes.CDLL(folder + "/hash.so").hash
    function.restype, function.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
    return function(data, len(data)) & 0xFFFFFFFF


class Model:
    """The parameters of a file of weights (lab/train/weights.h), and what they say of positions."""

    def __init__(self, path, device, batch):
        raw = open(path, "rb").read()
        magic, self.width, self.buckets, self.kings, checksum = struct.unpack("<8s4I", raw[:24])
        if magic not in (b"LuftFlt1", b"LuftFlt2") or text_hash(raw[24:]) != checksum:
            sys.exit(f"{path} is no file of weights as luft-lab handover writes them")
        self.magic, self.layers, self.device = magic, magic == b"LuftFlt2", device
        self.inputs = 768 * self.kings
        self.one = 8192 * 512 / (255 * 255) if self.layers else 64  # of layer 1 or output weights: rounded in training
        self.split(numpy.frombuffer(raw[24:], "<f4"))
        self.bucket_numbers = torch.arange(self.buckets, device=device)
        self.matrix = torch.zeros(2 * batch, self.inputs + 8, device=device)  # the last columns: no piece

    def split(self, values):
        width, pairs, half = self.width, self.width // 2, 8 if self.layers else 1
        outputs, factor = self.inputs + 1, self.inputs + 1 + 2 * self.buckets * half
        rows = factor + (768 if self.kings > 1 else 0)
        body, tail = values[:rows * width].reshape(rows, width), values[rows * width:].reshape(self.buckets, -1)
        self.tail_size = tail.shape[1]
        tables = body[:self.inputs].reshape(self.kings, 768, width)
        common = body[factor:] if self.kings > 1 else tables[0]
        parts = {"common": common, "bias": body[self.inputs]}
        if self.kings > 1:
            parts["difference"] = tables - common
        first = body[outputs:factor]
        if self.layers:  # row r has unit 2r of a pair in its first half, unit 2r + 1 in the second
            first = first.reshape(self.buckets, 2, 8, 2, pairs).transpose(0, 1, 4, 2, 3).reshape(self.buckets, 2 * pairs, 16)
            parts.update(first_bias=tail[:, :16], second=tail[:, 16:1040].reshape(-1, 32, 32), second_bias=tail[:, 1040:1072],
                         third=tail[:, 1072:1104], third_bias=tail[:, 1104], first=first)
        else:
            parts.update(first=first.reshape(self.buckets, 2 * width), first_bias=tail[:, 0])
        self.parameters = {name: torch.tensor(numpy.ascontiguousarray(part), device=self.device, requires_grad=True)
                           for name, part in parts.items()}

    def write(self, path):
        p = {name: value.detach().cpu().numpy() for name, value in self.parameters.items()}
        pairs, tail = self.width // 2, numpy.zeros((self.buckets, self.tail_size), "<f4")
        tables = p["common"] if self.kings == 1 else numpy.clip(p["common"] + p["difference"], -CLIP, CLIP)
        if self.layers:
            first = p["first"].reshape(self.buckets, 2, pairs, 8, 2).transpose(0, 1, 3, 4, 2)
            tail[:, :16], tail[:, 16:1040], tail[:, 1040:1072] = p["first_bias"], p["second"].reshape(-1, 1024), p["second_bias"]
            tail[:, 1072:1104], tail[:, 1104] = p["third"], p["third_bias"]
        else:
            first, tail[:, 0] = p["first"], p["first_bias"]
        parts = [tables, p["bias"], first] + ([p["common"]] if self.kings > 1 else []) + [tail]
        data = numpy.concatenate([part.ravel() for part in parts]).astype("<f4").tobytes()
        with open(path + ".tmp", "wb") as file:
            file.write(struct.pack("<8s4I", self.magic, self.width, self.buckets, self.kings, text_hash(data)) + data)
        os.replace(path + ".tmp", path)

    def chances(self, inputs, buckets, scale, is_rounded):
        """Expected scores for the side to move. `inputs` are 32 numbers for each of two views."""
        p, count = self.parameters, inputs.shape[0]
        ones = self.matrix[:2 * count].zero_().scatter_(1, inputs.view(2 * count, 32).long(), 1.0)[:, :self.inputs]
        table = p["common"] if self.kings == 1 else (p["common"] + p["difference"]).view(self.inputs, self.width)
        hidden = torch.addmm(p["bias"], ones, table).clamp(0, 1)
        first = p["first"]
        if is_rounded:  # the other weights learn to compensate the rounding; the steps go on in full precision
            first = first + ((first * self.one).round().clamp(-127, 127) / self.one - first).detach()
        # Sums over all buckets of which one counts: faster backwards than an index.
        chosen = (buckets[:, None] == self.bucket_numbers).float()
        if not self.layers:
            output = ((hidden.square().view(count, -1) @ first.t() + p["first_bias"]) * chosen).sum(1)
            return torch.sigmoid(output * (VALUE_ONE / scale))
        pairs = self.width // 2
        products = (hidden[:, :pairs] * hidden[:, pairs:]).view(count, 2 * pairs)
        sums = (products @ first.permute(1, 0, 2).reshape(2 * pairs, -1)).view(count, self.buckets, 16)
        sums = ((sums + p["first_bias"]) * chosen[:, :, None]).sum(1)
        active = torch.cat([sums.clamp(0, 1), sums.square().clamp(max=1)], 1)
        second = (active @ p["second"].permute(1, 0, 2).reshape(32, -1)).view(count, self.buckets, 32)
        second = ((second + p["second_bias"]) * chosen[:, :, None]).sum(1).clamp(0, 1)
        output = (second.square() * (chosen @ p["third"])).sum(1) + chosen @ p["third_bias"]
        return torch.sigmoid(output * (VALUE_ONE / scale))


class Positions:
    """Positions on the device: the inputs of both views, 16 bits each, the output bucket and the wanted chance."""

    def __init__(self, rows, model, scale):
        kings = torch.tensor(PARTS[model.kings], device=model.device)
        parts = [self.prepare(torch.from_numpy(numpy.array(rows[i:i + CHUNK])).to(model.device).int(), model, kings, scale)
                 for i in range(0, len(rows), CHUNK)]
        self.inputs, self.buckets, self.wanted = (torch.cat(part) for part in zip(*parts))

    @staticmethod
    def prepare(row, model, kings, scale):
        count, squares = row.shape[0], torch.arange(64, device=model.device)
        occupied = (row[:, :8].repeat_interleave(8, 1) >> (squares % 8)) & 1
        rank = (occupied.cumsum(1) - 1).clamp(min=0)
        piece = (row[:, 8:24].gather(1, rank >> 1) >> (4 * (rank & 1))) & 15
        place = torch.where(occupied == 1, rank, torch.full_like(rank, 32))
        inputs = torch.empty(count, 2, 32, dtype=torch.int16, device=model.device)
        for view in (0, 1):
            king = row[:, 27 + view]
            flip = torch.where((king & 4) != 0, 7, 0) ^ (56 if view else 0)  # mirrored, so that the king is on a to d
            seen = king ^ flip
            table = kings[((seen >> 3) * 4 + (seen & 7)).long()] * 768
            plane = (piece >> 1) + torch.where((piece & 1) == view, 0, 6)
            number = table[:, None] + plane * 64 + (squares ^ flip[:, None])
            line = torch.full((count, 33), model.inputs, dtype=torch.int16, device=model.device)
            inputs[:, view] = line.scatter_(1, place, number.to(torch.int16))[:, :32]
        score = row[:, 24] | (row[:, 25] << 8)
        score = torch.where(score >= 32768, score - 65536, score)
        return inputs.view(count, 64), (row[:, 29] - 2) * model.buckets // 32, torch.sigmoid(score / scale)

    def part(self, chosen):
        return self.inputs[chosen], self.buckets[chosen], self.wanted[chosen]


def validation_loss(model, positions, settings, is_rounded):
    lost, count = 0.0, len(positions.wanted)
    with torch.no_grad():
        for i in range(0, count, settings.batch):
            inputs, buckets, wanted = positions.part(slice(i, i + settings.batch))
            lost += float((model.chances(inputs, buckets, settings.scale, is_rounded) - wanted).square().sum())
    return lost / max(1, count)


def optimiser_of(model, settings):
    """As lab/train/optim.h; what king buckets add to the common part has a decay of its own."""
    own = [value for name, value in model.parameters.items() if name == "difference"]
    rest = [value for name, value in model.parameters.items() if name != "difference"]
    groups = [{"params": rest, "weight_decay": settings.decay}]
    if own:
        groups.append({"params": own, "weight_decay": settings.decay_buckets})
    fused = {"fused": True} if model.device.type == "cuda" else {}
    return torch.optim.AdamW(groups, lr=settings.rate, **fused)


def rate_of(step, steps, settings):
    warm_up = min(1000, steps // 10)
    if step < warm_up:
        return settings.rate * (step + 1) / (warm_up + 1)
    falling = steps - int(settings.average * steps) - warm_up
    way = min(1.0, (step - warm_up) / max(1, falling))
    return settings.rate_end + 0.5 * (settings.rate - settings.rate_end) * (1 + math.cos(math.pi * way))


def train(model, training, validation, settings):
    optimiser, parameters = optimiser_of(model, settings), list(model.parameters.values())
    count = len(training.wanted)
    per_epoch, steps = count // settings.batch, int(count * settings.epochs) // settings.batch
    if steps == 0 or per_epoch == 0:
        sys.exit(f"{count} positions are fewer than a step has: --batch {settings.batch}")
    averaged, lost, since, begin = None, torch.zeros((), device=model.device), 0, time.time()
    states, shown = 0, begin
    for step in range(steps):
        if step % per_epoch == 0:
            order = torch.randperm(count, device=model.device)
        for group in optimiser.param_groups:
            group["lr"] = rate_of(step, steps, settings)
        first = step % per_epoch * settings.batch
        inputs, buckets, wanted = training.part(order[first:first + settings.batch])
        loss = (model.chances(inputs, buckets, settings.scale, 2 * step >= steps) - wanted).square().mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            for parameter in parameters:
                parameter.clamp_(-CLIP, CLIP)
            if step >= steps - int(settings.average * steps) and step % 200 == 0:
                states += 1
                averaged = averaged or [torch.zeros_like(parameter) for parameter in parameters]
                for mean, parameter in zip(averaged, parameters):
                    mean += (parameter - mean) / states
        lost, since = lost + loss.detach(), since + 1
        if step + 1 == steps or step % 50 == 0 and time.time() - shown > 15:
            shown, done = time.time(), step + 1
            valid = validation_loss(model, validation, settings, 2 * step >= steps)
            print(f"epoch {done * settings.batch / count:.2f} loss {float(lost) / since:.6f} valid {valid:.6f} "
                  f"rate {rate_of(step, steps, settings):.1e} {done * settings.batch / (shown - begin) / 1000:.0f}k/s "
                  f"{(shown - begin) / done * (steps - done):.0f} s left", flush=True)
            lost, since = torch.zeros_like(lost), 0
            model.write(settings.out)
    if averaged:
        with torch.no_grad():
            for mean, parameter in zip(averaged, parameters):
                parameter.copy_(mean)
        print(f"mean of {states} states: valid {validation_loss(model, validation, settings, True):.6f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", help="to begin with")
    parser.add_argument("positions", nargs="+", help="files of luft-lab handover positions")
    parser.add_argument("--out", help="the trained weights (default: none, only the loss in validation)")
    parser.add_argument("--epochs", type=float, default=6, help="passes over the positions")
    parser.add_argument("--batch", type=int, default=8192, help="positions in a step")
    parser.add_argument("--rate", type=float, default=0.0014, help="learning rate at the beginning")
    parser.add_argument("--rate-end", type=float, default=0.000004, help="and at the end of its cosine")
    parser.add_argument("--decay", type=float, default=0.1, help="weight decay of a step, times the rate")
    parser.add_argument("--decay-buckets", type=float, default=0.3, help="decay of what each king bucket adds")
    parser.add_argument("--average", type=float, default=0.1, help="last part of the training, whose weights are averaged")
    parser.add_argument("--scale", type=float, default=250, help="units in the exponent of a winning chance")
    parser.add_argument("--seed", type=int, default=1, help="of the order of positions")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    settings = parser.parse_args()
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True  # ones are exact in it, and weights nearly so
    model = Model(settings.weights, torch.device(settings.device), settings.batch)
    rows = [numpy.memmap(path, numpy.uint8, "r").reshape(-1, ROW) for path in settings.positions]
    kept_out = [part[:, 30] != 0 for part in rows]
    validation = Positions(numpy.concatenate([part[out] for part, out in zip(rows, kept_out)]), model, settings.scale)
    print(f"valid {validation_loss(model, validation, settings, False):.8f} at first", flush=True)
    if settings.out:
        training = Positions(numpy.concatenate([part[~out] for part, out in zip(rows, kept_out)]), model, settings.scale)
        train(model, training, validation, settings)
        model.write(settings.out)


if __name__ == "__main__":
    main()
