import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  narrow: 'Nimo gibt es am Computer oder als App für Lernende im Store.',
  skipToContent: 'Zum Inhalt springen',
  menu: {
    label: 'Hauptmenü',
    goToSpaces: 'Zu den Räumen',
    nimoAsk: 'Nimo Ask',
    leaderboard: 'Rangliste',
    myProfile: 'Mein Profil',
    exitSpace: 'Raum verlassen',
    logout: 'Abmelden',
  },
  userMenu: { label: 'Konto von {{name}}', settings: 'Einstellungen', logout: 'Abmelden' },
  colourScheme: { toDark: 'Zum dunklen Modus wechseln', toLight: 'Zum hellen Modus wechseln' },
  exit: {
    title: 'Raum verlassen',
    text: 'Möchtest du den Raum wirklich verlassen?',
    confirm: 'Raum verlassen',
  },
  logout: {
    title: 'Abmelden',
    text: 'Möchtest du dich wirklich abmelden?',
    confirm: 'Abmelden',
    inProgress: 'Du wirst abgemeldet …',
  },
  action: { cancel: 'Abbrechen', close: 'Schließen', retry: 'Erneut versuchen', back: 'Zurück' },
  language: 'Sprache',
  loading: 'Wird geladen …',
  error: {
    title: 'Das hat nicht geklappt',
    unreachable: 'Nimo ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
    referred: '{{text}} (Für den Support: {{reference}})',
    stale: 'Was du siehst, ist vielleicht nicht mehr aktuell. {{reason}}',
    upload: 'Die Datei {{name}} konnte nicht hochgeladen werden',
    crashTitle: 'Auf dieser Seite ist etwas kaputtgegangen',
    crashText: 'Es liegt nicht an dir. Lade die Seite neu; nichts Gespeichertes geht verloren.',
    reload: 'Neu laden',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    heading: 'Hier ist nichts',
    text: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.',
    toSpaces: 'Zu den Räumen',
  },
} as const satisfies Translation<typeof english, 'de'>;
