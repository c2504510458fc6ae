import type { areas as english } from '../../en/staff/areas';
import type { Translation } from '../../translation';

export const areas = {
  menu: 'Bereiche',
  moderation: 'Moderation',
  audit: 'Prüfung',
  maintenance: 'Wartung',
  space: 'Raum',
  sections: {
    queue: 'Gemeldete Beiträge',
    patterns: 'Abstimmungsmuster',
    cases: 'Ungültige Stimmen',
    history: 'Verlauf',
    asOf: 'Stand von damals',
    proof: 'Nachweis',
    projections: 'Projektionen',
    scoring: 'Punkteregeln',
    spaces: 'Räume und Fächer',
    avatars: 'Avatare',
    roles: 'Rollen',
    students: 'Lernende',
    news: 'Neuigkeiten',
  },
} as const satisfies Translation<typeof english, 'de'>;
