import type { shortcuts as english } from '../en/shortcuts';
import type { Translation } from '../translation';

export const shortcuts = {
  skipToContent: 'Zum Inhalt springen',
  title: 'Tastenkürzel',
  menuItem: 'Tastenkürzel',
  switch: 'Kürzel aus einzelnen Tasten',
  switchHint: 'Schalte sie aus, wenn Tasten versehentlich gedrückt werden, etwa bei Spracheingabe.',
  then: 'dann',
  or: 'oder',
  groups: { anywhere: 'Überall', lists: 'Fragen und Suchergebnisse', going: 'Gehe zu' },
  actions: {
    search: 'Suchen',
    ask: 'Frage stellen',
    help: 'Diese Hilfe zeigen',
    next: 'Nächste',
    previous: 'Vorherige',
    open: 'Öffnen',
    back: 'Zurück',
    close: 'Frage neben der Liste schließen',
    toDashboard: 'Nimo Ask',
    toLeaderboard: 'Rangliste',
    toProfile: 'Mein Profil',
    toSpaces: 'Räume',
  },
} as const satisfies Translation<typeof english, 'de'>;
