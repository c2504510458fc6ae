import type { frame as english } from '../en/frame';
import type { Translation } from '../translation';

export const frame = {
  menu: {
    label: 'Главное меню',
    goToSpaces: 'К пространствам',
    nimoAsk: 'Nimo Ask',
    notifications: 'Уведом\u00ADления',
    leaderboard: 'Рейтинг',
    myProfile: 'Мой профиль',
    exitSpace: 'Покинуть пространство',
    logout: 'Выйти',
  },
  announcements: 'Объявления',
  userMenu: { label: 'Аккаунт {{name}}', settings: 'Настройки', logout: 'Выйти' },
  colourScheme: { toDark: 'Включить тёмную тему', toLight: 'Включить светлую тему' },
  logout: {
    title: 'Выйти',
    text: 'Ты точно хочешь выйти?',
    confirm: 'Выйти',
    inProgress: 'Выходим…',
  },
} as const satisfies Translation<typeof english, 'ru'>;
