import type { activities as english } from '../en/activities';
import type { Translation } from '../translation';

export const activities = {
  tab: 'Meine Aktivitäten',
  type: {
    CREATE_QUESTION: 'Du hast eine Frage gestellt',
    UPVOTE_QUESTION: 'Du hast eine Frage positiv bewertet',
    DOWNVOTE_QUESTION: 'Du hast eine Frage negativ bewertet',
    CREATE_ANSWER: 'Du hast eine Antwort geschrieben',
    UPVOTE_ANSWER: 'Du hast eine Antwort positiv bewertet',
    DOWNVOTE_ANSWER: 'Du hast eine Antwort negativ bewertet',
    CREATE_COMMENT: 'Du hast eine Antwort kommentiert',
    UPVOTE_COMMENT: 'Du hast den Kommentar zu einer Antwort positiv bewertet',
    DOWNVOTE_COMMENT: 'Du hast den Kommentar zu einer Antwort negativ bewertet',
    CREATE_QUESTION_COMMENT: 'Du hast eine Frage kommentiert',
    UPVOTE_QUESTION_COMMENT: 'Du hast den Kommentar zu einer Frage positiv bewertet',
    DOWNVOTE_QUESTION_COMMENT: 'Du hast den Kommentar zu einer Frage negativ bewertet',
  },
  noQuestion: 'Zu dieser Kennung gibt es keine Frage!',
  emptyTitle: 'Noch keine Aktivitäten',
  emptyText: 'Was du fragst, beantwortest, kommentierst und bewertest, erscheint hier.',
  toQuestions: 'Fragen ansehen',
  counts: {
    title: 'Mein Beitrag',
    asked: 'Gestellte Fragen',
    answered: 'Beantwortete Fragen',
    accepted: 'Angenommene Antworten',
  },
} as const satisfies Translation<typeof english, 'de'>;
