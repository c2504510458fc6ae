import type { spaces as english } from '../en/spaces';
import type { Translation } from '../translation';

export const spaces = {
  title: 'Espacios',
  lead: 'Un espacio es un centro de estudios o una comunidad. Elige uno para preguntar y responder.',
  mySpaces: 'Mis espacios',
  allSpaces: 'Todos los espacios',
  joinSpace: 'Unirme',
  joined: 'Te has unido',
  members_one: '{{count}} miembro',
  members_many: '{{count}} de miembros',
  members_other: '{{count}} miembros',
  join: {
    title: '¡Genial!',
    text: 'Vas a unirte a {{name}}.',
    cancel: 'Cancelar',
    confirm: 'Unirme al espacio',
  },
  emptyTitle: 'Todavía no hay ningún espacio',
  emptyText: 'Los espacios los crean quienes llevan Nimo. Vuelve pronto.',
} as const satisfies Translation<typeof english, 'es'>;
