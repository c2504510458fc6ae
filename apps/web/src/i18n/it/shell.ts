import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  narrow: 'Nimo è disponibile sul computer o come app per studenti nello store.',
  skipToContent: 'Vai al contenuto',
  menu: {
    label: 'Menu principale',
    goToSpaces: 'Vai agli spazi',
    nimoAsk: 'Nimo Ask',
    leaderboard: 'Classifica',
    myProfile: 'Il mio profilo',
    exitSpace: 'Esci dallo spazio',
    logout: 'Esci',
  },
  userMenu: { label: 'Account di {{name}}', settings: 'Impostazioni', logout: 'Esci' },
  colourScheme: { toDark: 'Passa al tema scuro', toLight: 'Passa al tema chiaro' },
  exit: {
    title: 'Esci dallo spazio',
    text: 'Vuoi davvero uscire dallo spazio?',
    confirm: 'Esci dallo spazio',
  },
  logout: {
    title: 'Esci',
    text: 'Vuoi davvero uscire dal tuo account?',
    confirm: 'Esci',
    inProgress: 'Uscita in corso…',
  },
  action: { cancel: 'Annulla', close: 'Chiudi', retry: 'Riprova', back: 'Indietro' },
  language: 'Lingua',
  loading: 'Caricamento…',
  error: {
    title: 'Qualcosa non ha funzionato',
    unreachable: 'Nimo non è raggiungibile. Controlla la connessione e riprova.',
    referred: "{{text}} (Per l'assistenza: {{reference}})",
    stale: 'Quello che vedi potrebbe non essere aggiornato. {{reason}}',
    upload: 'Impossibile caricare il file {{name}}',
    crashTitle: 'Qualcosa si è rotto in questa pagina',
    crashText: 'Non è colpa tua. Ricarica la pagina: ciò che hai salvato non va perso.',
    reload: 'Ricarica',
  },
  notFound: {
    title: 'Pagina non trovata',
    heading: 'Qui non c’è nulla',
    text: 'Forse l’indirizzo è sbagliato, oppure la pagina è stata spostata.',
    toSpaces: 'Vai agli spazi',
  },
} as const satisfies Translation<typeof english, 'it'>;
