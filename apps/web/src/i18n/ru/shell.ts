import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  action: { save: 'Сохранить', cancel: 'Отмена', close: 'Закрыть', retry: 'Повторить', back: 'Назад' },
  language: 'Язык',
  loading: 'Загрузка…',
  error: {
    goneTitle: 'Доступна новая версия Nimo',
    goneText: 'Обнови страницу, чтобы продолжить. Ничего из сохранённого не пропадёт.',
    title: 'Не получилось',
    unreachable: 'Nimo недоступен. Проверь подключение и попробуй ещё раз.',
    referred: '{{text}} (Для поддержки: {{reference}})',
    stale: 'То, что ты видишь, могло устареть. {{reason}}',
    upload: 'Не удалось загрузить файл {{name}}',
    crashTitle: 'На этом экране что-то сломалось',
    crashText: 'Ты здесь ни при чём. Обнови страницу: ничего из сохранённого не пропадёт.',
    reload: 'Обновить',
  },
} as const satisfies Translation<typeof english, 'ru'>;
