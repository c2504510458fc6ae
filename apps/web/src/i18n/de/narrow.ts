import type { narrow as english } from '../en/narrow';
import type { Translation } from '../translation';

export const narrow = {
  text: 'Nimo gibt es am Computer oder als App für Lernende im Store.',
  continue: 'Im Browser weitermachen',
} as const satisfies Translation<typeof english, 'de'>;
