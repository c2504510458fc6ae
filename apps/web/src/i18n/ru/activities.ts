import type { activities as english } from '../en/activities';
import type { Translation } from '../translation';

export const activities = {
  tab: 'Мои действия',
  type: {
    CREATE_QUESTION: 'Твой вопрос',
    UPVOTE_QUESTION: 'Твой голос за вопрос',
    DOWNVOTE_QUESTION: 'Твой голос против вопроса',
    CREATE_ANSWER: 'Твой ответ',
    UPVOTE_ANSWER: 'Твой голос за ответ',
    DOWNVOTE_ANSWER: 'Твой голос против ответа',
    CREATE_COMMENT: 'Твой комментарий к ответу',
    UPVOTE_COMMENT: 'Твой голос за комментарий к ответу',
    DOWNVOTE_COMMENT: 'Твой голос против комментария к ответу',
    CREATE_QUESTION_COMMENT: 'Твой комментарий к вопросу',
    UPVOTE_QUESTION_COMMENT: 'Твой голос за комментарий к вопросу',
    DOWNVOTE_QUESTION_COMMENT: 'Твой голос против комментария к вопросу',
  },
  noQuestion: 'Вопрос с таким идентификатором не найден!',
  emptyTitle: 'Действий пока нет',
  emptyText: 'Здесь появятся твои вопросы, ответы, комментарии и голоса.',
  toQuestions: 'К вопросам',
  counts: {
    title: 'Мой вклад',
    asked: 'Задано вопросов',
    answered: 'Отвечено на вопросы',
    accepted: 'Принято ответов',
  },
} as const satisfies Translation<typeof english, 'ru'>;
