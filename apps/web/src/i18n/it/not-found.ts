import type { notFound as english } from '../en/not-found';
import type { Translation } from '../translation';

export const notFound = {
  title: 'Pagina non trovata',
  heading: 'Qui non c’è nulla',
  text: 'Forse l’indirizzo è sbagliato, oppure la pagina è stata spostata.',
  toSpaces: 'Vai agli spazi',
} as const satisfies Translation<typeof english, 'it'>;
