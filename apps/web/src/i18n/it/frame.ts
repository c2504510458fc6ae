import type { frame as english } from '../en/frame';
import type { Translation } from '../translation';

export const frame = {
  menu: {
    label: 'Menu principale',
    goToSpaces: 'Vai agli spazi',
    nimoAsk: 'Nimo Ask',
    notifications: 'Notifiche',
    leaderboard: 'Classifica',
    myProfile: 'Il mio profilo',
    exitSpace: 'Esci dallo spazio',
    logout: 'Esci',
  },
  announcements: 'Annunci',
  userMenu: { label: 'Account di {{name}}', settings: 'Impostazioni', logout: 'Esci' },
  colourScheme: { toDark: 'Passa al tema scuro', toLight: 'Passa al tema chiaro' },
  logout: {
    title: 'Esci',
    text: 'Vuoi davvero uscire dal tuo account?',
    confirm: 'Esci',
    inProgress: 'Uscita in corso…',
  },
} as const satisfies Translation<typeof english, 'it'>;
