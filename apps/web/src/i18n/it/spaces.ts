import type { spaces as english } from '../en/spaces';
import type { Translation } from '../translation';

export const spaces = {
  title: 'Spazi',
  lead: 'Uno spazio è una scuola o una comunità. Scegline uno per fare domande e rispondere.',
  mySpaces: 'I miei spazi',
  allSpaces: 'Tutti gli spazi',
  joinSpace: 'Unisciti',
  joined: 'Ne fai parte',
  members_one: '{{count}} membro',
  members_many: '{{count}} di membri',
  members_other: '{{count}} membri',
  join: {
    title: 'Fantastico!',
    text: 'Stai per unirti a {{name}}.',
    cancel: 'Annulla',
    confirm: 'Unisciti allo spazio',
  },
  emptyTitle: 'Non c’è ancora nessuno spazio',
  emptyText: 'Gli spazi li crea chi gestisce Nimo. Torna presto.',
} as const satisfies Translation<typeof english, 'it'>;
