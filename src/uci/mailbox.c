#include "uci/mailbox.h"

#include "base/clock.h"
#include "base/memory.h"

bool letters_push(LetterQueue *queue, Letter *letter) {
    if (queue->first != NULL && queue->size + letter->size > LETTERS_SIZE_MAX) return false;
    letter->next = NULL;
    queue->size += letter->size;
    if (queue->last != NULL)
        queue->last->next = letter;
    else
        queue->first = letter;
    queue->last = letter;
    return true;
}

Letter *letters_pop(LetterQueue *queue) {
    Letter *letter = queue->first;
    if (letter == NULL) return NULL;
    queue->first = letter->next;
    queue->size -= letter->size;
    if (queue->first == NULL) queue->last = NULL;
    return letter;
}

void letter_release(Letter *letter) { memory_release(letter); }

void letters_release(LetterQueue *queue) {
    for (Letter *letter = letters_pop(queue); letter != NULL; letter = letters_pop(queue))
        letter_release(letter);
}

void mailbox_open(Mailbox *mailbox) {
    *mailbox = (Mailbox){0};
    mutex_init(&mailbox->mutex);
    condition_init(&mailbox->news);
}

void mailbox_release(Mailbox *mailbox) {
    letters_release(&mailbox->letters);
    condition_destroy(&mailbox->news);
    mutex_destroy(&mailbox->mutex);
}

bool mailbox_post(Mailbox *mailbox, TextView line) {
    /* What the allocator needs for itself counts too: most lines are short. */
    enum { OVERHEAD = 16 };
    const size_t size = sizeof(Letter) + line.length + 1;
    Letter *letter = memory_allocate(size);
    if (letter == NULL) return false;
    letter->size = size + OVERHEAD;
    text_copy(line, letter->text, line.length + 1);
    mutex_lock(&mailbox->mutex);
    while (!letters_push(&mailbox->letters, letter)) condition_wait(&mailbox->news, &mailbox->mutex);
    condition_signal_all(&mailbox->news);
    mutex_unlock(&mailbox->mutex);
    return true;
}

static void post_fact(Mailbox *mailbox, bool *fact) {
    mutex_lock(&mailbox->mutex);
    *fact = true;
    condition_signal_all(&mailbox->news);
    mutex_unlock(&mailbox->mutex);
}

void mailbox_post_search_over(Mailbox *mailbox) { post_fact(mailbox, &mailbox->search_over); }
void mailbox_post_end(Mailbox *mailbox) { post_fact(mailbox, &mailbox->closed); }

static Mail pick(Mailbox *mailbox, bool lines, Letter **letter) {
    if (mailbox->search_over) {
        mailbox->search_over = false;
        return MAIL_SEARCH_OVER;
    }
    if (!lines) return MAIL_NOTHING;
    *letter = letters_pop(&mailbox->letters);
    if (*letter != NULL) return MAIL_LINE;
    return mailbox->closed ? MAIL_END : MAIL_NOTHING;
}

Mail mailbox_take(Mailbox *mailbox, MailWish wish, Letter **letter) {
    mutex_lock(&mailbox->mutex);
    Mail mail = pick(mailbox, wish.lines, letter);
    const int64_t end = clock_milliseconds() + wish.patience;
    while (mail == MAIL_NOTHING && wish.wait) {
        const int64_t left = end - clock_milliseconds();
        if (wish.patience > 0 && left <= 0) break;
        if (wish.patience > 0)
            condition_wait_for(&mailbox->news, &mailbox->mutex, left);
        else
            condition_wait(&mailbox->news, &mailbox->mutex);
        mail = pick(mailbox, wish.lines, letter);
    }
    if (mail == MAIL_LINE) condition_signal_all(&mailbox->news);
    mutex_unlock(&mailbox->mutex);
    return mail;
}
