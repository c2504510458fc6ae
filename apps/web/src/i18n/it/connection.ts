import type { connection as english } from '../en/connection';
import type { Translation } from '../translation';

export const connection = {
  offline: 'Sei offline. Ciò che hai scritto resta qui.',
  unreachable: 'Nimo non è raggiungibile. Nuovo tentativo in corso…',
  unsent: 'Non ancora inviato. Nimo lo invierà quando la connessione sarà ripristinata.',
  late: 'La tua ultima azione è salvata. Forse non si vede ancora ovunque.',
  newVersion: 'È disponibile una nuova versione di Nimo.',
} as const satisfies Translation<typeof english, 'it'>;
