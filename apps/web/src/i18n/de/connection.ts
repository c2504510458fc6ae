import type { connection as english } from '../en/connection';
import type { Translation } from '../translation';

export const connection = {
  offline: 'Du bist offline. Was du geschrieben hast, bleibt hier.',
  unreachable: 'Nimo ist nicht erreichbar. Neuer Versuch läuft …',
  unsent: 'Noch nicht gesendet. Nimo sendet es, sobald die Verbindung wieder da ist.',
  late: 'Deine letzte Aktion ist gespeichert. Vielleicht ist sie noch nicht überall zu sehen.',
  newVersion: 'Eine neue Version von Nimo ist da.',
} as const satisfies Translation<typeof english, 'de'>;
