import type { narrow as english } from '../en/narrow';
import type { Translation } from '../translation';

export const narrow = {
  text: 'Nimo está disponible en el ordenador o como app para estudiantes en la tienda.',
  continue: 'Continuar en el navegador',
} as const satisfies Translation<typeof english, 'es'>;
