#include "chess/plain.h"

#include <string.h>

/* Each of the characters stands for the text. */
static const struct {
    const char *characters, *plain;
} STANDS_FOR[] = {
    {"\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F"
     "\u205F\u3000",
     " "},
    {"\u00AD\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2066\u2067\u2068\u2069\uFE0E\uFE0F"
     "\uFEFF",
     ""},
    {"\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\uFE58\uFE63\uFF0D", "-"},
    {"\u2024\u00B7\uFF0E", "."},
    {"\u2025", ".."},
    {"\u2026", "..."},
    {"\u00BD", "1/2"},
    {"\u2044\u2215\uFF0F", "/"},
    {"\u2236\uFF1A", ":"},
    {"\u00D7\u2715\u2716\u2A2F", "x"},
    {"\uFF0B\u2020", "+"},
    {"\u2021\u266F", "#"},
    {"\uFF1D", "="},
    {"\uFF01", "!"},
    {"\uFF1F", "?"},
    {"\u203C", "!!"},
    {"\u2047", "??"},
    {"\u2048", "?!"},
    {"\u2049", "!?"},
    {"\u00B1", "+/-"},
    {"\u2213", "-/+"},
    {"\u2A72", "+="},
    {"\u2A71", "=+"},
    {"\u2654\u265A", "K"},
    {"\u2655\u265B", "Q"},
    {"\u2656\u265C", "R"},
    {"\u2657\u265D", "B"},
    {"\u2658\u265E", "N"},
    {"\u2659\u265F", "P"},
    {"\u041E\u043E\u039F\u03BF", "O"}, /* of castling, and what looks the same on other keyboards */
    {"\u0430", "a"},
    {"\u0441", "c"},
    {"\u0435", "e"},
    {"\u0445", "x"},
};

/* A byte that is no UTF-8 counts as a character. */
static size_t character_length(TextView text) {
    uint32_t point;
    const size_t length = text_decode(text, &point);
    return length == 0 ? 1 : length;
}

TextView plain_take(TextView *text) {
    const TextView self = {text->data, character_length(*text)};
    *text = (TextView){text->data + self.length, text->length - self.length};
    if (self.length == 1) return self;
    for (size_t i = 0; i < sizeof STANDS_FOR / sizeof STANDS_FOR[0]; i++) {
        for (TextView rest = text_view(STANDS_FOR[i].characters); rest.length > 0;) {
            const size_t length = character_length(rest);
            if (length == self.length && memcmp(rest.data, self.data, length) == 0)
                return text_view(STANDS_FOR[i].plain);
            rest = (TextView){rest.data + length, rest.length - length};
        }
    }
    return self;
}

size_t plain_write(TextView text, char *out, size_t capacity) {
    size_t length = 0;
    while (text.length > 0) {
        const TextView plain = plain_take(&text);
        if (length + plain.length >= capacity) break;
        length += text_copy(plain, out + length, capacity - length);
    }
    out[length] = '\0';
    return length;
}

/* --- signs --- */

/* Signs and words that comment on a move, and their NAGs; of those that have one for each side, White's. 0:
 * the move says the same. */
static const struct {
    const char *sign;
    int nag;
    bool of_side;
} SIGNS[] = {{"!", 1, false},        {"?", 2, false},        {"!!", 3, false},       {"??", 4, false},
             {"!?", 5, false},       {"?!", 6, false},       {"\u25A1", 7, false},   {"=", 10, false},
             {"\u221E", 13, false},  {"+=", 14, false},      {"+/=", 14, false},     {"=+", 15, false},
             {"=/+", 15, false},     {"+/-", 16, false},     {"-/+", 17, false},     {"+-", 18, false},
             {"-+", 19, false},      {"\u2299", 22, true},   {"\u25CB", 26, true},   {"\u27F3", 32, true},
             {"\u2191", 36, true},   {"\u2192", 40, true},   {"=\u221E", 44, true},  {"\u21C6", 132, true},
             {"\u2295", 138, true},  {"\u2206", 140, false}, {"\u25B3", 140, false}, {"\u2313", 142, false},
             {"\u0394", 140, false}, {"N", 146, false},      {"TN", 146, false},     {"+", 0, false},
             {"++", 0, false},       {"#", 0, false},        {"/", 0, false},        {":", 0, false},
             {".", 0, false},        {",", 0, false},        {"-", 0, false},        {"e.p.", 0, false},
             {"e.p", 0, false},      {"ep", 0, false},       {"ch", 0, false},       {"ch.", 0, false},
             {"dbl", 0, false},      {"mate", 0, false},     {"check", 0, false}};
enum { SIGN_COUNT = sizeof SIGNS / sizeof SIGNS[0] };

size_t plain_last_sign(TextView text, bool by_black, int *nag) {
    size_t longest = 0;
    *nag = 0;
    for (int i = 0; i < SIGN_COUNT; i++) {
        const size_t length = strlen(SIGNS[i].sign);
        if (length <= longest || length > text.length ||
            memcmp(text.data + text.length - length, SIGNS[i].sign, length) != 0)
            continue;
        longest = length;
        *nag = SIGNS[i].nag + (SIGNS[i].of_side && by_black);
    }
    return longest;
}

/* Whether a sign, an arrow, a shape or a picture beyond ASCII is at the front, or the Greek letter that means
 * an idea. */
static bool begins_with_symbol(TextView text) {
    uint32_t point;
    if (text_decode(text, &point) < 2) return false;
    return point < 0xC0 || point == 0xD7 || point == 0xF7 || point == 0x394 ||
           (point >= 0x2000 && point < 0x2C00) || point >= 0x1F000;
}

bool plain_is_sign(TextView word) {
    int nag;
    if (begins_with_symbol(word)) return true; /* in front of a move: "with the idea Ng5" */
    for (size_t i = 0; i < word.length; i++) {
        const char c = char_to_upper(word.data[i]);
        /* An N alone may be a move that was torn. */
        if ((c >= 'A' && c <= 'Z') || char_is_digit(c))
            return word.length > 1 && plain_last_sign(word, false, &nag) == word.length;
    }
    return true;
}

/* --- the letters of the pieces --- */

enum { PIECES = 5 };

static const char ENGLISH[] = "KQRBN";

/* Languages with the same letters share a row. A letter may be several characters, the longer first. */
static const char *const LETTERS[][PIECES] = {
    {"K", "Q", "R", "B", "N"},
    {"K", "D", "T", "L", "S"},      /* German, Danish, Norwegian, Swedish, Croatian, Slovenian */
    {"R", "D", "T", "F", "C"},      /* French */
    {"R", "D", "T", "A", "C"},      /* Spanish, Italian, Catalan */
    {"R", "D", "T", "B", "C"},      /* Portuguese */
    {"K", "D", "T", "L", "P"},      /* Dutch */
    {"K", "D", "V", "S", "J"},      /* Czech, Slovak */
    {"K", "H", "W", "G", "S"},      /* Polish */
    {"K", "V", "B", "F", "H"},      /* Hungarian */
    {"K", "D", "T", "L", "R"},      /* Finnish */
    {"R", "D", "T", "N", "C"},      /* Romanian */
    {"K", "L", "V", "O", "R"},      /* Estonian */
    {"K", "D", "H", "B", "R"},      /* Icelandic */
    {"\u015E", "V", "K", "F", "A"}, /* Turkish */
    {"\u041A\u0440", "\u0424", "\u041B", "\u0421", "\u041A"}, /* Russian */
    {"\u041A\u0440", "\u0424", "\u0422", "\u0421", "\u041A"}, /* Ukrainian */
    {"\u0426", "\u0414", "\u0422", "O", "\u041A"},            /* Bulgarian, whose O is plain by now */
    {"\u041A", "\u0414", "\u0422", "\u041B", "\u0421"},       /* Serbian */
    {"\u03A1", "\u0392", "\u03A0", "\u0391", "\u0399"},       /* Greek */
};

int plain_alphabets(void) { return sizeof LETTERS / sizeof LETTERS[0]; }

/* The piece whose letter is at the front, or -1. */
static int piece_at(int alphabet, TextView text) {
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < PIECES; i++) {
        const size_t length = strlen(LETTERS[alphabet][i]);
        if (length > longest && text_starts_with(text, LETTERS[alphabet][i])) {
            longest = length;
            found = i;
        }
    }
    return found;
}

bool plain_in_english(int alphabet, TextView word, char *out, size_t capacity) {
    size_t length = 0;
    while (word.length > 0 && length + 1 < capacity) {
        const char c = word.data[0];
        const int piece = piece_at(alphabet, word);
        const bool castles = c == 'O' && (word.length == 1 || strchr("O-+#", word.data[1]) != NULL);
        const bool is_for_all = castles || (c == 'P' && alphabet == ALPHABET_ENGLISH);
        const bool is_letter =
            (c >= 'A' && c <= 'Z') || ((unsigned char)c >= 0xC0 && !begins_with_symbol(word));
        if (piece < 0 && is_letter && !is_for_all) return false;
        const size_t taken = piece < 0 ? 1 : strlen(LETTERS[alphabet][piece]);
        out[length++] = piece < 0 ? c : ENGLISH[piece];
        word = (TextView){word.data + taken, word.length - taken};
    }
    out[length] = '\0';
    return word.length == 0;
}

void plain_translate(int alphabet, TextView line, TextBuffer *out) {
    enum { WORD = 48 };
    char plain[WORD], english[WORD];
    bool in_comment = false;
    if (alphabet == ALPHABET_ENGLISH) {
        buffer_append(out, line);
        return;
    }
    while (line.length > 0) {
        size_t length = 0; /* of a word without the number in front of it */
        while (!in_comment && length < line.length && strchr(" .(){}", line.data[length]) == NULL) length++;
        const TextView word = {line.data, length == 0 ? 1 : length};
        if (length == 0) in_comment = in_comment ? word.data[0] != '}' : word.data[0] == '{';
        const TextView move = {plain, plain_write(word, plain, sizeof plain)};
        if (length > 0 && move.length + 1 < WORD && plain_in_english(alphabet, move, english, sizeof english))
            buffer_append_string(out, english);
        else
            buffer_append(out, word);
        line = (TextView){line.data + word.length, line.length - word.length};
    }
}
