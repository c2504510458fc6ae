import type { narrow as english } from '../en/narrow';
import type { Translation } from '../translation';

export const narrow = {
  text: 'Nimo è disponibile sul computer o come app per studenti nello store.',
  continue: 'Continua nel browser',
} as const satisfies Translation<typeof english, 'it'>;
