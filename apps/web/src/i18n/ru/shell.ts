import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  narrow: 'Nimo доступен на компьютере или как приложение для учащихся в магазине приложений.',
  skipToContent: 'Перейти к содержанию',
  menu: {
    label: 'Главное меню',
    goToSpaces: 'К пространствам',
    nimoAsk: 'Nimo Ask',
    leaderboard: 'Рейтинг',
    myProfile: 'Мой профиль',
    exitSpace: 'Покинуть пространство',
    logout: 'Выйти',
  },
  userMenu: { label: 'Аккаунт {{name}}', settings: 'Настройки', logout: 'Выйти' },
  colourScheme: { toDark: 'Включить тёмную тему', toLight: 'Включить светлую тему' },
  exit: {
    title: 'Покинуть пространство',
    text: 'Ты точно хочешь покинуть пространство?',
    confirm: 'Покинуть пространство',
  },
  logout: {
    title: 'Выйти',
    text: 'Ты точно хочешь выйти?',
    confirm: 'Выйти',
    inProgress: 'Выходим…',
  },
  action: { cancel: 'Отмена', close: 'Закрыть', retry: 'Повторить', back: 'Назад' },
  language: 'Язык',
  loading: 'Загрузка…',
  error: {
    title: 'Не получилось',
    unreachable: 'Nimo недоступен. Проверь подключение и попробуй ещё раз.',
    referred: '{{text}} (Для поддержки: {{reference}})',
    stale: 'То, что ты видишь, могло устареть. {{reason}}',
    upload: 'Не удалось загрузить файл {{name}}',
    crashTitle: 'На этом экране что-то сломалось',
    crashText: 'Ты здесь ни при чём. Обнови страницу: ничего из сохранённого не пропадёт.',
    reload: 'Обновить',
  },
  notFound: {
    title: 'Страница не найдена',
    heading: 'Здесь ничего нет',
    text: 'Возможно, в адресе опечатка или страница переехала.',
    toSpaces: 'К пространствам',
  },
} as const satisfies Translation<typeof english, 'ru'>;
