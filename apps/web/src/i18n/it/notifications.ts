import type { notifications as english } from '../en/notifications';
import type { Translation } from '../translation';

export const notifications = {
  title: 'Notifiche',
  bell: 'Notifiche, {{shown}} da vedere',
  new: 'Nuova',
  showNew: 'Mostra le nuove',
  markAllRead: 'Segna tutte come lette',
  showAll: 'Mostra tutte',
  somebody: 'Qualcuno',
  emptyTitle: 'Ancora niente',
  emptyText: 'Qui compaiono le domande, le risposte e i commenti che ti riguardano.',
  noQuestion: 'Nessuna domanda trovata con questo id!',
  type: {
    NEW_QUESTION: '{{name}} ha fatto una domanda',
    NEW_ANSWER: '{{name}} ha risposto alla tua domanda',
    ANSWER_ACCEPTED: '{{name}} ha accettato la tua risposta',
    NEW_COMMENT: '{{name}} ha commentato la tua risposta',
    NEW_QUESTION_COMMENT: '{{name}} ha commentato la tua domanda',
    POST_REMOVED: 'La moderazione ha rimosso un tuo contenuto',
    POST_RESTORED: 'Il tuo contenuto è di nuovo visibile',
    MENTION: '{{name}} ti ha menzionato in un commento',
    QUESTION_UPVOTED_one: 'La tua domanda ha ricevuto {{count}} voto positivo',
    QUESTION_UPVOTED_many: 'La tua domanda ha ricevuto {{count}} di voti positivi',
    QUESTION_UPVOTED_other: 'La tua domanda ha ricevuto {{count}} voti positivi',
    ANSWER_UPVOTED_one: 'La tua risposta ha ricevuto {{count}} voto positivo',
    ANSWER_UPVOTED_many: 'La tua risposta ha ricevuto {{count}} di voti positivi',
    ANSWER_UPVOTED_other: 'La tua risposta ha ricevuto {{count}} voti positivi',
  },
} as const satisfies Translation<typeof english, 'it'>;
