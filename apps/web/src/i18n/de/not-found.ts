import type { notFound as english } from '../en/not-found';
import type { Translation } from '../translation';

export const notFound = {
  title: 'Seite nicht gefunden',
  heading: 'Hier ist nichts',
  text: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.',
  toSpaces: 'Zu den Räumen',
} as const satisfies Translation<typeof english, 'de'>;
