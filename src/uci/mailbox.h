/* What reaches the thread that runs UCI commands: lines, from the thread that reads the input, and the news
 * that the search is over, from the search thread. Each function may be called from any thread,
 * `mailbox_take` from one. */
#ifndef LUFT_UCI_MAILBOX_H
#define LUFT_UCI_MAILBOX_H

#include "base/sync.h"
#include "base/text.h"

typedef struct Letter {
    struct Letter *next;
    size_t size;             /* bytes of memory */
    bool can_stop, ponders;  /* whether a `stop` may be meant for it, or a `ponderhit`, and ... */
    bool is_stopped, is_hit; /* ... what has come for it while it waited: for the taker, false at first */
    char text[];             /* terminated */
} Letter;

/* Letters in the order of their arrival. The caller does the locking. */
typedef struct LetterQueue {
    Letter *first, *last;
    size_t size; /* bytes of memory that the letters take */
} LetterQueue;

/* No queue takes more bytes than this. */
enum { LETTERS_SIZE_MAX = 16 << 20 };

/* False, and nothing is done, when the queue is full; an empty one takes any letter. */
bool letters_push(LetterQueue *queue, Letter *letter);
Letter *letters_pop(LetterQueue *queue); /* NULL when empty */
void letter_release(Letter *letter);
void letters_release(LetterQueue *queue);

typedef struct Mailbox {
    Mutex mutex;
    Condition news; /* for the taker, and for who waits to post */
    LetterQueue letters;
    bool closed;
    bool search_over;
} Mailbox;

void mailbox_open(Mailbox *mailbox);
void mailbox_release(Mailbox *mailbox);

/* Posts a copy of the line; false when there is no memory for it. Waits while the mailbox is full, which it
 * is for long only when its taker does not listen. */
bool mailbox_post(Mailbox *mailbox, TextView line);
void mailbox_post_search_over(Mailbox *mailbox);
void mailbox_post_end(Mailbox *mailbox); /* no more lines will come */

typedef enum Mail { MAIL_LINE, MAIL_SEARCH_OVER, MAIL_END, MAIL_NOTHING } Mail;

/* Which mail the taker wants now. */
typedef struct MailWish {
    bool lines;       /* lines and their end; otherwise only the end of the search */
    bool wait;        /* until there is some, */
    int64_t patience; /* milliseconds, at most; 0: without an end */
} MailWish;

/* Takes the next piece of mail; the end of a search goes before lines, so that whatever was sent in answer to
 * its best move finds the search over. MAIL_NOTHING without waiting, or when patience
 * ends. A letter becomes the caller's. */
Mail mailbox_take(Mailbox *mailbox, MailWish wish, Letter **letter);

#endif
