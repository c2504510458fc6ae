import type { spaces as english } from '../en/spaces';
import type { Translation } from '../translation';

export const spaces = {
  title: 'Räume',
  lead: 'Ein Raum ist eine Schule oder eine Gemeinschaft. Wähle einen, um zu fragen und zu antworten.',
  mySpaces: 'Meine Räume',
  allSpaces: 'Alle Räume',
  joinSpace: 'Raum beitreten',
  joined: 'Beigetreten',
  members_one: '{{count}} Mitglied',
  members_other: '{{count}} Mitglieder',
  join: {
    title: 'Großartig!',
    text: 'Du bist dabei, {{name}} beizutreten.',
    cancel: 'Abbrechen',
    confirm: 'Raum beitreten',
  },
  emptyTitle: 'Es gibt noch keinen Raum',
  emptyText: 'Räume richten die ein, die Nimo betreiben. Schau bald wieder vorbei.',
} as const satisfies Translation<typeof english, 'de'>;
