import type { shortcuts as english } from '../en/shortcuts';
import type { Translation } from '../translation';

export const shortcuts = {
  skipToContent: 'Перейти к содержанию',
  title: 'Горячие клавиши',
  menuItem: 'Горячие клавиши',
  switch: 'Команды одной клавишей',
  switchHint: 'Отключи их, если клавиши нажимаются случайно, например при голосовом вводе.',
  then: 'затем',
  or: 'или',
  groups: { anywhere: 'Везде', lists: 'Вопросы и результаты поиска', going: 'Перейти' },
  actions: {
    search: 'Поиск',
    ask: 'Задать вопрос',
    help: 'Показать эту справку',
    next: 'Следующий',
    previous: 'Предыдущий',
    open: 'Открыть',
    back: 'Назад',
    close: 'Закрыть вопрос рядом со списком',
    toDashboard: 'Nimo Ask',
    toLeaderboard: 'Рейтинг',
    toProfile: 'Мой профиль',
    toSpaces: 'Пространства',
  },
} as const satisfies Translation<typeof english, 'ru'>;
