import type { notFound as english } from '../en/not-found';
import type { Translation } from '../translation';

export const notFound = {
  title: 'Página no encontrada',
  heading: 'Aquí no hay nada',
  text: 'Puede que la dirección esté mal escrita o que la página se haya movido.',
  toSpaces: 'Ir a los espacios',
} as const satisfies Translation<typeof english, 'es'>;
