import type { frame as english } from '../en/frame';
import type { Translation } from '../translation';

export const frame = {
  menu: {
    label: 'Hauptmenü',
    goToSpaces: 'Zu den Räumen',
    nimoAsk: 'Nimo Ask',
    notifications: 'Benachrich\u00ADtigungen',
    leaderboard: 'Rangliste',
    myProfile: 'Mein Profil',
    exitSpace: 'Raum verlassen',
    logout: 'Abmelden',
  },
  announcements: 'Ansagen',
  userMenu: { label: 'Konto von {{name}}', settings: 'Einstellungen', logout: 'Abmelden' },
  colourScheme: { toDark: 'Zum dunklen Modus wechseln', toLight: 'Zum hellen Modus wechseln' },
  logout: {
    title: 'Abmelden',
    text: 'Möchtest du dich wirklich abmelden?',
    confirm: 'Abmelden',
    inProgress: 'Du wirst abgemeldet …',
  },
} as const satisfies Translation<typeof english, 'de'>;
