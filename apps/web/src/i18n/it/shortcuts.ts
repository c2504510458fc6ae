import type { shortcuts as english } from '../en/shortcuts';
import type { Translation } from '../translation';

export const shortcuts = {
  skipToContent: 'Vai al contenuto',
  title: 'Scorciatoie da tastiera',
  menuItem: 'Scorciatoie da tastiera',
  switch: 'Scorciatoie a tasto singolo',
  switchHint: 'Disattivale se premi tasti per sbaglio, per esempio dettando a voce.',
  then: 'poi',
  or: 'o',
  groups: { anywhere: 'Ovunque', lists: 'Domande e risultati', going: 'Vai a' },
  actions: {
    search: 'Cerca',
    ask: 'Fai una domanda',
    help: 'Mostra questo aiuto',
    next: 'Successiva',
    previous: 'Precedente',
    open: 'Apri',
    back: 'Indietro',
    close: 'Chiudi la domanda accanto all’elenco',
    toDashboard: 'Nimo Ask',
    toLeaderboard: 'Classifica',
    toProfile: 'Il mio profilo',
    toSpaces: 'Spazi',
  },
} as const satisfies Translation<typeof english, 'it'>;
