import type { notifications as english } from '../en/notifications';
import type { Translation } from '../translation';

export const notifications = {
  title: 'Notificaciones',
  bell: 'Notificaciones, {{shown}} sin ver',
  new: 'Nueva',
  showNew: 'Mostrar las nuevas',
  markAllRead: 'Marcar todas como leídas',
  showAll: 'Ver todas',
  somebody: 'Alguien',
  emptyTitle: 'Aún no hay nada',
  emptyText: 'Aquí aparecen las preguntas, respuestas y comentarios que te conciernen.',
  noQuestion: '¡No se encontró ninguna pregunta con este id!',
  type: {
    NEW_QUESTION: '{{name}} ha hecho una pregunta',
    NEW_ANSWER: '{{name}} ha respondido a tu pregunta',
    ANSWER_ACCEPTED: '{{name}} ha aceptado tu respuesta',
    NEW_COMMENT: '{{name}} ha comentado tu respuesta',
    NEW_QUESTION_COMMENT: '{{name}} ha comentado tu pregunta',
    POST_REMOVED: 'La moderación ha retirado tu publicación',
    POST_RESTORED: 'Tu publicación vuelve a verse',
    MENTION: '{{name}} te ha mencionado en un comentario',
    QUESTION_UPVOTED_one: 'Tu pregunta ha recibido {{count}} voto positivo',
    QUESTION_UPVOTED_many: 'Tu pregunta ha recibido {{count}} de votos positivos',
    QUESTION_UPVOTED_other: 'Tu pregunta ha recibido {{count}} votos positivos',
    ANSWER_UPVOTED_one: 'Tu respuesta ha recibido {{count}} voto positivo',
    ANSWER_UPVOTED_many: 'Tu respuesta ha recibido {{count}} de votos positivos',
    ANSWER_UPVOTED_other: 'Tu respuesta ha recibido {{count}} votos positivos',
  },
} as const satisfies Translation<typeof english, 'es'>;
