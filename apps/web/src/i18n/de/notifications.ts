import type { notifications as english } from '../en/notifications';
import type { Translation } from '../translation';

export const notifications = {
  title: 'Benachrichtigungen',
  bell: 'Benachrichtigungen, {{shown}} neu',
  new: 'Neu',
  showNew: 'Neue anzeigen',
  markAllRead: 'Alle als gelesen markieren',
  showAll: 'Alle anzeigen',
  somebody: 'Jemand',
  emptyTitle: 'Noch nichts da',
  emptyText: 'Fragen, Antworten und Kommentare, die dich betreffen, erscheinen hier.',
  noQuestion: 'Zu dieser Kennung gibt es keine Frage!',
  type: {
    NEW_QUESTION: '{{name}} hat eine Frage gestellt',
    NEW_ANSWER: '{{name}} hat deine Frage beantwortet',
    ANSWER_ACCEPTED: '{{name}} hat deine Antwort angenommen',
    NEW_COMMENT: '{{name}} hat deine Antwort kommentiert',
    NEW_QUESTION_COMMENT: '{{name}} hat deine Frage kommentiert',
    POST_REMOVED: 'Dein Beitrag wurde von der Moderation entfernt',
    POST_RESTORED: 'Dein Beitrag ist wieder sichtbar',
    MENTION: '{{name}} hat dich in einem Kommentar erwähnt',
    QUESTION_UPVOTED_one: 'Deine Frage hat {{count}} positive Stimme bekommen',
    QUESTION_UPVOTED_other: 'Deine Frage hat {{count}} positive Stimmen bekommen',
    ANSWER_UPVOTED_one: 'Deine Antwort hat {{count}} positive Stimme bekommen',
    ANSWER_UPVOTED_other: 'Deine Antwort hat {{count}} positive Stimmen bekommen',
  },
} as const satisfies Translation<typeof english, 'de'>;
