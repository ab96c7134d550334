#include "tb/table.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

#include <string.h>

/* A file ends with a checksum of 16 bytes, so some bytes after those of a block may be read. */
enum { BLOCK = 64, CHECKSUM = 16, SIZE_MIN = BLOCK + CHECKSUM };
enum { CODE_LENGTH_MAX = 32, SYMBOLS_MAX = 4096, VALUES_MAX = 256 /* that one symbol stands for */ };
/* More than any table has (10 and 21), so that no probe takes long. */
enum { BLOCK_BITS_MAX = 16, SPAN_BITS_MAX = 24 };

/* Flags of the values. DTZ only: which side is to move, whether they are numbers of a map, of words instead
 * of bytes, and whether they count plies or moves. */
enum { BLACK_TO_MOVE = 1, MAPPED = 2, WIN_IN_PLIES = 4, LOSS_IN_PLIES = 8, WORDS = 16, ALL_THE_SAME = 128 };

/* The values of one side to move, with pawns for one file of the foremost pawn. */
typedef struct Values {
    Encoding encoding;
    uint8_t flags;
    uint8_t constant;                            /* the value, if they are all the same */
    uint8_t block_bits;                          /* a block has 1 << block_bits bytes, */
    uint8_t span_bits;                           /* a span 1 << span_bits values */
    uint8_t shortest, longest;                   /* codes, in bits */
    uint32_t blocks, lengths;                    /* how many; lengths: blocks and some after the last */
    uint32_t code[CODE_LENGTH_MAX + 1];          /* the first one of each length, its first bit the highest */
    uint32_t symbol_offset[CODE_LENGTH_MAX + 1]; /* symbols of each length, minus the number of their code */
    uint8_t symbol_lengths[SYMBOLS_MAX];         /* how many values each stands for, minus one */
    const uint8_t *symbols;                      /* three bytes each: two symbols, or a value */
    const uint8_t *sparse_index;  /* the middle of each span: its block (four bytes), its place there (two) */
    const uint8_t *block_lengths; /* how many values each has, minus one: two bytes each */
    const uint8_t *data;
    const uint8_t *map[4]; /* of values, for each result */
    uint16_t map_size[4];
} Values;

struct Table {
    const uint8_t *bytes;
    size_t size;
    uint8_t *mapped; /* the bytes, if table_open mapped them; or NULL */
    TableKind kind;
    Material material;
    int files, sides;
    Values values[]; /* of each file: of each side to move */
};

static bool is_symmetric(const Table *table) { return table->material == material_swap(table->material); }

/* --- opening; a function returns what is wrong, or NULL --- */

typedef struct Reader {
    const uint8_t *bytes;
    uint64_t size, at; /* without the checksum */
} Reader;

static const char CUT[] = "it ends too early";

/* The next `count` bytes; NULL if there are fewer. */
static const uint8_t *take(Reader *reader, uint64_t count) {
    if (count > reader->size - reader->at) return NULL;
    reader->at += count;
    return reader->bytes + reader->at - count;
}

static bool align(Reader *reader, uint64_t to) { return take(reader, -reader->at & (to - 1)) != NULL; }

static unsigned symbol_left(const Values *values, unsigned symbol) {
    return (unsigned)bytes_get(values->symbols + 3 * symbol, 2) & 0xFFF;
}
static unsigned symbol_right(const Values *values, unsigned symbol) {
    return (unsigned)bytes_get(values->symbols + 3 * symbol + 1, 2) >> 4;
}
static bool symbol_is_value(const Values *values, unsigned symbol) {
    return symbol_right(values, symbol) == SYMBOLS_MAX - 1;
}

/* Sets how many values a symbol stands for, minus one; -1 if they are too many, or the symbols form a circle.
 */
static int measure_symbol(Values *values, unsigned symbol, unsigned symbols, int depth) {
    if (symbol >= symbols || depth == VALUES_MAX) return -1;
    if (values->symbol_lengths[symbol] > 0 || symbol_is_value(values, symbol))
        return values->symbol_lengths[symbol];
    const int left = measure_symbol(values, symbol_left(values, symbol), symbols, depth + 1);
    const int right =
        left < 0 ? -1 : measure_symbol(values, symbol_right(values, symbol), symbols, depth + 1);
    if (right < 0 || left + right + 2 > VALUES_MAX) return -1;
    return values->symbol_lengths[symbol] = (uint8_t)(left + right + 1);
}

static const char *read_symbols(Values *values, unsigned symbols, Reader *reader) {
    values->symbols = take(reader, 3 * symbols);
    if (values->symbols == NULL || !align(reader, 2)) return CUT;
    for (unsigned symbol = 0; symbol < symbols; symbol++)
        if (measure_symbol(values, symbol, symbols, 0) < 0) return "its symbols form no tree";
    return NULL;
}

/* Codes of one length follow each other, and so do their symbols: `lowest` has the first symbol of each
 * length. The first of the longest codes is 0. The number after the last of a length, without its last bit,
 * is the first of the next shorter length. */
static const char *find_codes(Values *values, const uint8_t *lowest, unsigned symbols) {
    uint64_t code = 0;
    for (int length = values->longest; length >= values->shortest; length--) {
        const uint8_t *const at = lowest + 2 * (length - values->shortest);
        const unsigned symbol = (unsigned)bytes_get(at, 2);
        uint64_t end = (uint64_t)1 << length;
        if (length > values->shortest) {
            const uint64_t sum = code + bytes_get(at - 2, 2);
            if (sum < symbol || (sum - symbol) / 2 * 2 >= end) return "its codes overlap";
            end = (sum - symbol) / 2 * 2;
        }
        if (end < code) return "its codes overlap";
        if (symbol + (end - code) > symbols) return "its codes have no symbols";
        values->code[length] = (uint32_t)(code << (CODE_LENGTH_MAX - length));
        values->symbol_offset[length] = symbol - (uint32_t)code;
        code = end / 2;
    }
    return NULL;
}

static const char *read_values(Values *values, TableKind kind, Reader *reader) {
    const uint8_t *head = take(reader, 2);
    if (head == NULL) return CUT;
    values->flags = head[0];
    if (values->flags & ALL_THE_SAME) {
        values->constant = kind == TABLE_WDL ? head[1] : 0;
        return NULL;
    }
    values->block_bits = head[1];
    head = take(reader, 8);
    if (head == NULL) return CUT;
    values->span_bits = head[0];
    values->blocks = (uint32_t)bytes_get(head + 2, 4);
    values->lengths = values->blocks + head[1];
    values->longest = head[6];
    values->shortest = head[7];
    if (values->block_bits > BLOCK_BITS_MAX || values->span_bits < 1 || values->span_bits > SPAN_BITS_MAX ||
        values->lengths < values->blocks)
        return "its blocks are too large";
    if (values->shortest < 1 || values->shortest > values->longest || values->longest > CODE_LENGTH_MAX)
        return "its codes are too long";
    const uint8_t *const lowest = take(reader, 2 * (uint64_t)(values->longest - values->shortest + 1));
    const uint8_t *const count = take(reader, 2);
    if (lowest == NULL || count == NULL) return CUT;
    const unsigned symbols = (unsigned)bytes_get(count, 2);
    if (symbols > SYMBOLS_MAX) return "it has too many symbols";
    const char *const fault = read_symbols(values, symbols, reader);
    return fault == NULL ? find_codes(values, lowest, symbols) : fault;
}

static const char *read_maps(Table *table, Reader *reader) {
    for (int file = 0; file < table->files; file++) {
        Values *const values = &table->values[file];
        if (!(values->flags & MAPPED)) continue;
        const int width = values->flags & WORDS ? 2 : 1;
        if (!align(reader, (uint64_t)width)) return CUT;
        for (int i = 0; i < 4; i++) {
            const uint8_t *const size = take(reader, (uint64_t)width);
            if (size == NULL) return CUT;
            values->map_size[i] = (uint16_t)bytes_get(size, width);
            values->map[i] = take(reader, (uint64_t)width * values->map_size[i]);
            if (values->map[i] == NULL) return CUT;
        }
    }
    return align(reader, 2) ? NULL : CUT;
}

static const char *read_encodings(Table *table, Reader *reader) {
    for (int file = 0; file < table->files; file++) {
        const uint8_t *const header = take(reader, (uint64_t)encoding_header_size(table->material));
        if (header == NULL) return CUT;
        for (int side = 0; side < table->sides; side++)
            if (!encoding_read(&table->values[file * table->sides + side].encoding, header, side > 0,
                               table->material, file))
                return "it has other pieces than its name";
    }
    return align(reader, 2) ? NULL : CUT;
}

/* Everything after the headers, none of which is read. */
static const char *find_sections(Table *table, Reader *reader) {
    Values *const end = table->values + table->files * table->sides;
    for (Values *values = table->values; values < end; values++) {
        if (values->flags & ALL_THE_SAME) continue;
        const uint64_t spans = ((values->encoding.size - 1) >> values->span_bits) + 1;
        values->sparse_index = take(reader, 6 * spans);
        if (values->sparse_index == NULL) return CUT;
    }
    for (Values *values = table->values; values < end; values++) {
        values->block_lengths = take(reader, 2 * (uint64_t)values->lengths);
        if (values->block_lengths == NULL) return CUT;
    }
    for (Values *values = table->values; values < end; values++) {
        if (values->flags & ALL_THE_SAME) continue;
        if (!align(reader, BLOCK)) return CUT;
        values->data = take(reader, (uint64_t)values->blocks << values->block_bits);
        if (values->data == NULL) return CUT;
    }
    return NULL;
}

static const char *read_table(Table *table) {
    Reader reader = {table->bytes, table->size - CHECKSUM, 5};
    const bool split = table->bytes[4] & 1;
    if (table->kind == TABLE_WDL && split == is_symmetric(table)) return "it has too many sides, or too few";
    const char *fault = read_encodings(table, &reader);
    for (int i = 0; i < table->files * table->sides && fault == NULL; i++)
        fault = read_values(&table->values[i], table->kind, &reader);
    if (fault == NULL && table->kind == TABLE_DTZ) fault = read_maps(table, &reader);
    return fault == NULL ? find_sections(table, &reader) : fault;
}

Table *table_create(const uint8_t *bytes, size_t size, const char *name, TableKind kind, Material material,
                    Status *status) {
    static const uint8_t MAGIC[TABLE_KINDS][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};
    if (size < sizeof MAGIC[kind] || memcmp(bytes, MAGIC[kind], sizeof MAGIC[kind]) != 0) {
        *status = status_error("%.150s is no tablebase, or a damaged one", name);
        return NULL;
    }
    if (size < SIZE_MIN || size % BLOCK != CHECKSUM) {
        *status = status_error("%.150s is not complete (%zu bytes)", name, size);
        return NULL;
    }
    const int files = material_has_pawns(material) ? TABLE_FILES : 1;
    const int sides = kind == TABLE_WDL && material != material_swap(material) ? 2 : 1;
    Table *const table = memory_allocate(sizeof *table + (size_t)(files * sides) * sizeof *table->values);
    if (table == NULL) {
        *status = status_no_memory("the tablebases");
        return NULL;
    }
    *table = (Table){
        .bytes = bytes, .size = size, .kind = kind, .material = material, .files = files, .sides = sides};
    const char *const fault = read_table(table);
    *status = fault == NULL ? status_ok() : status_error("%.150s is damaged: %s", name, fault);
    if (fault == NULL) return table;
    table_close(table);
    return NULL;
}

Table *table_open(const char *path, TableKind kind, Material material, Status *status) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    *status = file_map(path, &bytes, &size);
    if (!status_is_ok(status)) return NULL;
    Table *const table = table_create(bytes, size, path, kind, material, status);
    if (table != NULL)
        table->mapped = bytes;
    else
        file_unmap(bytes, size);
    return table;
}

void table_close(Table *table) {
    if (table == NULL) return;
    if (table->mapped != NULL) file_unmap(table->mapped, table->size);
    memory_release(table);
}

/* --- probing --- */

/* Finds the block that has the value, and turns the index into its place in the block. */
static bool find_block(const Values *values, uint64_t *index, uint32_t *block) {
    const uint8_t *const entry = values->sparse_index + 6 * (*index >> values->span_bits);
    const uint64_t span = (uint64_t)1 << values->span_bits;
    int64_t rest = (int64_t)(*index & (span - 1)) - (int64_t)(span / 2) + (int64_t)bytes_get(entry + 4, 2);
    uint32_t at = (uint32_t)bytes_get(entry, 4);
    while (rest < 0) {
        if (at == 0 || at > values->lengths) return false;
        rest += (int64_t)bytes_get(values->block_lengths + 2 * (size_t)--at, 2) + 1;
    }
    for (; at < values->blocks; at++) {
        const int64_t length = (int64_t)bytes_get(values->block_lengths + 2 * (size_t)at, 2) + 1;
        if (rest < length) break;
        rest -= length;
    }
    *index = (uint64_t)rest;
    *block = at;
    return at < values->blocks;
}

/* The 32 bits from `bit` on, the first one highest. Reads five bytes. */
static uint32_t code_at(const uint8_t *data, uint64_t bit) {
    const uint8_t *const bytes = data + bit / 8;
    const uint64_t word = (uint64_t)bytes[0] << 32 | (uint64_t)bytes[1] << 24 | (uint64_t)bytes[2] << 16 |
                          (uint64_t)bytes[3] << 8 | bytes[4];
    return (uint32_t)(word << bit % 8 >> 8);
}

static bool find_value(const Values *values, uint64_t index, unsigned *value) {
    *value = values->constant;
    if (index >= values->encoding.size) return false; /* no legal position */
    if (values->flags & ALL_THE_SAME) return true;
    uint32_t block;
    if (!find_block(values, &index, &block)) return false;
    const uint8_t *const data = values->data + ((uint64_t)block << values->block_bits);
    unsigned symbol;
    for (uint64_t bit = 0;;) {
        if (bit >> values->block_bits >= 8) return false;
        const uint32_t code = code_at(data, bit);
        int length = values->shortest;
        while (code < values->code[length]) length++; /* the last is 0 */
        symbol = values->symbol_offset[length] + (code >> (CODE_LENGTH_MAX - length));
        if (index <= values->symbol_lengths[symbol]) break;
        index -= values->symbol_lengths[symbol] + 1u;
        bit += (uint64_t)length;
    }
    while (values->symbol_lengths[symbol] > 0) {
        const unsigned left = symbol_left(values, symbol), left_length = values->symbol_lengths[left];
        symbol = index <= left_length ? left : symbol_right(values, symbol);
        if (index > left_length) index -= left_length + 1;
    }
    *value = symbol_left(values, symbol);
    return true;
}

/* Where the values of the position are. Sets `*side`, the side to move as the table counts, and `*swap`. */
static const Values *find_values(const Table *table, const Position *pos, bool *swap, int *side) {
    if (is_symmetric(table)) *swap = pos->side == BLACK;
    *side = (pos->side == BLACK) != *swap;
    const int file = table->files > 1 ? encoding_file(table->material, pos, *swap) : 0;
    return &table->values[file * table->sides + (table->sides > 1 ? *side : 0)];
}

bool table_probe_wdl(const Table *table, const Position *pos, bool swap, Wdl *wdl) {
    int side;
    unsigned value;
    const Values *const values = find_values(table, pos, &swap, &side);
    if (!find_value(values, encoding_index(&values->encoding, pos, swap), &value) ||
        value > WDL_WIN - WDL_LOSS)
        return false;
    *wdl = (Wdl)((int)value + WDL_LOSS);
    return true;
}

DtzAnswer table_probe_dtz(const Table *table, const Position *pos, bool swap, Wdl wdl, int *plies) {
    static const int MAPS[] = {1, 3, 0, 2, 0}; /* by result */
    int side;
    unsigned value;
    const Values *const values = find_values(table, pos, &swap, &side);
    const int map = MAPS[(int)wdl - WDL_LOSS];
    if ((values->flags & BLACK_TO_MOVE) != side && !is_symmetric(table)) return DTZ_OTHER_SIDE;
    if (!find_value(values, encoding_index(&values->encoding, pos, swap), &value)) return DTZ_DAMAGED;
    if (values->flags & MAPPED) {
        const int width = values->flags & WORDS ? 2 : 1;
        if (value >= values->map_size[map]) return DTZ_DAMAGED;
        value = (unsigned)bytes_get(values->map[map] + (unsigned)width * value, width);
    }
    const bool in_plies = (wdl == WDL_WIN && values->flags & WIN_IN_PLIES) ||
                          (wdl == WDL_LOSS && values->flags & LOSS_IN_PLIES);
    *plies = (int)value * (in_plies ? 1 : 2);
    return DTZ_KNOWN;
}
