import type { activities as english } from '../en/activities';
import type { Translation } from '../translation';

export const activities = {
  tab: 'Mi actividad',
  type: {
    CREATE_QUESTION: 'Has hecho una pregunta',
    UPVOTE_QUESTION: 'Has votado a favor de una pregunta',
    DOWNVOTE_QUESTION: 'Has votado en contra de una pregunta',
    CREATE_ANSWER: 'Has añadido una respuesta',
    UPVOTE_ANSWER: 'Has votado a favor de una respuesta',
    DOWNVOTE_ANSWER: 'Has votado en contra de una respuesta',
    CREATE_COMMENT: 'Has comentado una respuesta',
    UPVOTE_COMMENT: 'Has votado a favor de un comentario de una respuesta',
    DOWNVOTE_COMMENT: 'Has votado en contra de un comentario de una respuesta',
    CREATE_QUESTION_COMMENT: 'Has comentado una pregunta',
    UPVOTE_QUESTION_COMMENT: 'Has votado a favor de un comentario de una pregunta',
    DOWNVOTE_QUESTION_COMMENT: 'Has votado en contra de un comentario de una pregunta',
  },
  noQuestion: '¡No se encontró ninguna pregunta con este id!',
  emptyTitle: 'Aún no hay actividad',
  emptyText: 'Aquí aparece lo que preguntas, respondes, comentas y votas.',
  toQuestions: 'Ver preguntas',
  counts: {
    title: 'Mi contribución',
    asked: 'Preguntas hechas',
    answered: 'Preguntas respondidas',
    accepted: 'Respuestas aceptadas',
  },
} as const satisfies Translation<typeof english, 'es'>;
