import type { spaces as english } from '../en/spaces';
import type { Translation } from '../translation';

export const spaces = {
  title: 'Пространства',
  lead: 'Пространство — это школа или сообщество. Выбери одно, чтобы спрашивать и отвечать.',
  mySpaces: 'Мои пространства',
  allSpaces: 'Все пространства',
  joinSpace: 'Вступить',
  joined: 'Ты участник',
  members_one: '{{count}} участник',
  members_few: '{{count}} участника',
  members_many: '{{count}} участников',
  members_other: '{{count}} участника',
  join: {
    title: 'Отлично!',
    text: 'Ты вступаешь в пространство {{name}}.',
    cancel: 'Отмена',
    confirm: 'Вступить',
  },
  emptyTitle: 'Пространств пока нет',
  emptyText: 'Пространства создают те, кто ведёт Nimo. Загляни позже.',
} as const satisfies Translation<typeof english, 'ru'>;
