import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  action: { save: 'Salva', cancel: 'Annulla', close: 'Chiudi', retry: 'Riprova', back: 'Indietro' },
  language: 'Lingua',
  loading: 'Caricamento…',
  error: {
    goneTitle: 'È disponibile una nuova versione di Nimo',
    goneText: 'Ricarica la pagina per continuare. Ciò che hai salvato non va perso.',
    title: 'Qualcosa non ha funzionato',
    unreachable: 'Nimo non è raggiungibile. Controlla la connessione e riprova.',
    referred: "{{text}} (Per l'assistenza: {{reference}})",
    stale: 'Quello che vedi potrebbe non essere aggiornato. {{reason}}',
    upload: 'Impossibile caricare il file {{name}}',
    crashTitle: 'Qualcosa si è rotto in questa pagina',
    crashText: 'Non è colpa tua. Ricarica la pagina: ciò che hai salvato non va perso.',
    reload: 'Ricarica',
  },
} as const satisfies Translation<typeof english, 'it'>;
