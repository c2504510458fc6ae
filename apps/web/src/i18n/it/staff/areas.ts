import type { areas as english } from '../../en/staff/areas';
import type { Translation } from '../../translation';

export const areas = {
  menu: 'Aree',
  moderation: 'Moderazione',
  audit: 'Verifica',
  maintenance: 'Manutenzione',
  space: 'Spazio',
  sections: {
    queue: 'Contenuti segnalati',
    patterns: 'Schemi di voto',
    cases: 'Voti annullati',
    history: 'Cronologia',
    asOf: 'Stato di allora',
    proof: 'Prova',
    projections: 'Proiezioni',
    scoring: 'Regole dei punteggi',
    spaces: 'Spazi e materie',
    avatars: 'Avatar',
    roles: 'Ruoli',
    students: 'Studenti',
    news: 'Novità',
  },
} as const satisfies Translation<typeof english, 'it'>;
