"""Reads programs and libraries of macOS (Mach-O), as far as `make check-macos` looks at them. Standard library only."""

import hashlib
import struct

FAT, THIN = 0xCAFEBABE, 0xFEEDFACF
MACHINES = {0x0100000C: "arm64", 0x01000007: "x86_64"}
# Load commands, and what the numbers in them mean.
LOAD_DYLIB, ID_DYLIB, SYMTAB, CODE_SIGNATURE, BUILD_VERSION = 0xC, 0xD, 0x2, 0x1D, 0x32
PLATFORM_MACOS = 1
POSITION_INDEPENDENT, DYLIB = 0x200000, 6
EXTERNAL, PRIVATE, TYPE, DEBUG = 0x01, 0x10, 0x0E, 0xE0
SIGNATURE, CODE_DIRECTORY, AD_HOC, SHA256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


def slices(data):
    """The files that a universal file consists of, by processor; a plain file is its only slice."""
    if struct.unpack(">I", data[:4])[0] != FAT:
        return {MACHINES[struct.unpack("<I", data[4:8])[0]]: data}
    found = {}
    for number in range(struct.unpack(">I", data[4:8])[0]):
        machine, _, offset, size, align = struct.unpack_from(">5I", data, 8 + 20 * number)
        if offset % (1 << align):
            raise ValueError(f"a slice at {offset} is not aligned to 2^{align}")
        found[MACHINES[machine]] = data[offset:offset + size]
    return found


class Image:
    """One slice: the oldest system that it asks for, its libraries, exported names and signature."""

    def __init__(self, data):
        magic, _, _, kind, commands, _, flags, _ = struct.unpack_from("<8I", data)
        if magic != THIN:
            raise ValueError(f"not a 64-bit Mach-O file: {magic:#x}")
        self.data, self.libraries, self.exports, self.oldest_system, self.signature = data, [], [], None, None
        self.is_position_independent = kind == DYLIB or bool(flags & POSITION_INDEPENDENT)
        at = 32
        for _ in range(commands):
            command, size = struct.unpack_from("<2I", data, at)
            self.read_command(command & 0x7FFFFFFF, at, size)
            at += size

    def read_command(self, command, at, size):
        if command == LOAD_DYLIB:
            name = struct.unpack_from("<I", self.data, at + 8)[0]
            self.libraries.append(self.text(at + name))
        elif command == BUILD_VERSION:
            platform, oldest = struct.unpack_from("<2I", self.data, at + 8)
            self.oldest_system = f"{oldest >> 16}.{oldest >> 8 & 255}" if platform == PLATFORM_MACOS else f"platform {platform}"
        elif command == SYMTAB:
            self.read_symbols(*struct.unpack_from("<4I", self.data, at + 8))
        elif command == CODE_SIGNATURE:
            offset, length = struct.unpack_from("<2I", self.data, at + 8)
            self.signature = self.data[offset:offset + length]

    def text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def read_symbols(self, symbols, count, names, _):
        for number in range(count):
            name, kind, _, _, _ = struct.unpack_from("<IBBHQ", self.data, symbols + 16 * number)
            if kind & EXTERNAL and kind & TYPE and not kind & (PRIVATE | DEBUG):
                self.exports.append(self.text(names + name).removeprefix("_"))
        self.exports.sort()

    def is_signed(self):
        """Whether there is an ad-hoc signature; an error if it does not fit the file."""
        if self.signature is None:
            return False
        magic, _, count = struct.unpack_from(">3I", self.signature)
        if magic != SIGNATURE:
            raise ValueError(f"a signature that begins with {magic:#x}")
        for number in range(count):
            at = struct.unpack_from(">I", self.signature, 16 + 8 * number)[0]
            if struct.unpack_from(">I", self.signature, at)[0] == CODE_DIRECTORY:
                return self.has_good_hashes(at)
        return False

    def has_good_hashes(self, at):
        fields = struct.unpack_from(">9I4B", self.signature, at)
        flags, hashes, pages, limit = fields[3], fields[4], fields[7], fields[8]
        hash_size, hash_kind, page = fields[9], fields[10], 1 << fields[12]
        if not flags & AD_HOC or hash_kind != SHA256 or pages != -(-limit // page):
            raise ValueError(f"flags {flags:#x}, kind of hash {hash_kind}, {pages} pages of {page} bytes for {limit} bytes")
        for number in range(pages):
            start = at + hashes + number * hash_size
            digest = hashlib.sha256(self.data[number * page:min((number + 1) * page, limit)]).digest()
            if self.signature[start:start + hash_size] != digest:
                raise ValueError(f"page {number} does not fit its hash in the signature")
        return True
