import type { notFound as english } from '../en/not-found';
import type { Translation } from '../translation';

export const notFound = {
  title: 'Страница не найдена',
  heading: 'Здесь ничего нет',
  text: 'Возможно, в адресе опечатка или страница переехала.',
  toSpaces: 'К пространствам',
} as const satisfies Translation<typeof english, 'ru'>;
