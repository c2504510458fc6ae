import type { profile as english } from '../en/profile';
import type { Translation } from '../translation';

export const profile = {
  title: 'Мой профиль',
  reputations: 'Репутация',
  commitments: 'Вклад',
  tabs: { saved: 'Сохранённые вопросы' },
  saved: {
    emptyTitle: 'Пока ничего не сохранено',
    emptyText: 'Сохрани вопрос, чтобы снова найти его здесь.',
    toQuestions: 'Смотреть вопросы',
    answers_one: '{{count}} ответ',
    answers_few: '{{count}} ответа',
    answers_many: '{{count}} ответов',
    answers_other: '{{count}} ответа',
    solved: 'Решено',
  },
  noAbout: 'Описания пока нет.',
  edit: {
    open: 'Изменить профиль',
    title: 'Изменить профиль',
    userName: 'Имя пользователя',
    firstName: 'Имя',
    lastName: 'Фамилия',
    about: 'О себе',
    submit: 'Сохранить',
    success: 'Профиль изменён!',
    userNameRequired: 'Введи имя пользователя',
    userNameInvalid:
      'В имени пользователя не должно быть пробелов и специальных знаков, кроме подчёркивания!',
    userNameTaken: 'Такое имя пользователя уже есть!',
  },
  picture: {
    selectImage: 'Выбрать изображение',
    selectAvatar: 'Выбрать аватар',
    hint: 'Лучше всего 500 × 500 пикселей',
    remove: 'Убрать изображение',
  },
  avatars: {
    title: 'Выбрать аватар',
    select: 'Выбрать',
    avatar: 'Аватар {{number}}, {{category}}',
    categories: { animals: 'животные', people: 'люди', space: 'космос' },
  },
} as const satisfies Translation<typeof english, 'ru'>;
