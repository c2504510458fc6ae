import type { notifications as english } from '../en/notifications';
import type { Translation } from '../translation';

export const notifications = {
  title: 'Уведомления',
  bell: 'Уведомления, новых: {{shown}}',
  new: 'Новое',
  showNew: 'Показать новые',
  markAllRead: 'Отметить все как прочитанные',
  showAll: 'Показать все',
  somebody: 'Кто-то',
  emptyTitle: 'Пока ничего нет',
  emptyText: 'Здесь появятся вопросы, ответы и комментарии, которые тебя касаются.',
  noQuestion: 'Вопрос с таким идентификатором не найден!',
  type: {
    NEW_QUESTION: '{{name}} задаёт вопрос',
    NEW_ANSWER: '{{name}} отвечает на твой вопрос',
    ANSWER_ACCEPTED: '{{name}} принимает твой ответ',
    NEW_COMMENT: '{{name}} комментирует твой ответ',
    NEW_QUESTION_COMMENT: '{{name}} комментирует твой вопрос',
    POST_REMOVED: 'Модератор удаляет твою публикацию',
    POST_RESTORED: 'Твоя публикация снова видна',
    MENTION: '{{name}} упоминает тебя в комментарии',
    QUESTION_UPVOTED_one: 'Твой вопрос получил {{count}} голос «за»',
    QUESTION_UPVOTED_few: 'Твой вопрос получил {{count}} голоса «за»',
    QUESTION_UPVOTED_many: 'Твой вопрос получил {{count}} голосов «за»',
    QUESTION_UPVOTED_other: 'Твой вопрос получил {{count}} голоса «за»',
    ANSWER_UPVOTED_one: 'Твой ответ получил {{count}} голос «за»',
    ANSWER_UPVOTED_few: 'Твой ответ получил {{count}} голоса «за»',
    ANSWER_UPVOTED_many: 'Твой ответ получил {{count}} голосов «за»',
    ANSWER_UPVOTED_other: 'Твой ответ получил {{count}} голоса «за»',
  },
} as const satisfies Translation<typeof english, 'ru'>;
