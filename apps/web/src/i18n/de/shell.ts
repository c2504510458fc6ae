import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  action: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    retry: 'Erneut versuchen',
    back: 'Zurück',
  },
  language: 'Sprache',
  loading: 'Wird geladen …',
  error: {
    goneTitle: 'Eine neue Version von Nimo ist da',
    goneText: 'Lade die Seite neu, um weiterzumachen. Nichts Gespeichertes geht verloren.',
    title: 'Das hat nicht geklappt',
    unreachable: 'Nimo ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
    referred: '{{text}} (Für den Support: {{reference}})',
    stale: 'Was du siehst, ist vielleicht nicht mehr aktuell. {{reason}}',
    upload: 'Die Datei {{name}} konnte nicht hochgeladen werden',
    crashTitle: 'Auf dieser Seite ist etwas kaputtgegangen',
    crashText: 'Es liegt nicht an dir. Lade die Seite neu; nichts Gespeichertes geht verloren.',
    reload: 'Neu laden',
  },
} as const satisfies Translation<typeof english, 'de'>;
