import type { activities as english } from '../en/activities';
import type { Translation } from '../translation';

export const activities = {
  tab: 'Le mie attività',
  type: {
    CREATE_QUESTION: 'Hai fatto una domanda',
    UPVOTE_QUESTION: 'Hai votato a favore di una domanda',
    DOWNVOTE_QUESTION: 'Hai votato contro una domanda',
    CREATE_ANSWER: 'Hai aggiunto una risposta',
    UPVOTE_ANSWER: 'Hai votato a favore di una risposta',
    DOWNVOTE_ANSWER: 'Hai votato contro una risposta',
    CREATE_COMMENT: 'Hai commentato una risposta',
    UPVOTE_COMMENT: 'Hai votato a favore di un commento a una risposta',
    DOWNVOTE_COMMENT: 'Hai votato contro un commento a una risposta',
    CREATE_QUESTION_COMMENT: 'Hai commentato una domanda',
    UPVOTE_QUESTION_COMMENT: 'Hai votato a favore di un commento a una domanda',
    DOWNVOTE_QUESTION_COMMENT: 'Hai votato contro un commento a una domanda',
  },
  noQuestion: 'Nessuna domanda trovata con questo id!',
  emptyTitle: 'Ancora nessuna attività',
  emptyText: 'Qui compare ciò che chiedi, rispondi, commenti e voti.',
  toQuestions: 'Sfoglia le domande',
  counts: {
    title: 'Il mio contributo',
    asked: 'Domande fatte',
    answered: 'Domande con risposta',
    accepted: 'Risposte accettate',
  },
} as const satisfies Translation<typeof english, 'it'>;
