import type { profile as english } from '../en/profile';
import type { Translation } from '../translation';

export const profile = {
  title: 'Il mio profilo',
  reputations: 'Reputazione',
  commitments: 'Impegno',
  tabs: { saved: 'Domande salvate' },
  saved: {
    emptyTitle: 'Ancora niente di salvato',
    emptyText: 'Salva una domanda per ritrovarla qui.',
    toQuestions: 'Sfoglia le domande',
    answers_one: '{{count}} risposta',
    answers_many: '{{count}} di risposte',
    answers_other: '{{count}} risposte',
    solved: 'Risolta',
  },
  noAbout: 'Ancora nessuna descrizione.',
  edit: {
    open: 'Modifica il profilo',
    title: 'Modifica il profilo',
    userName: 'Nome utente',
    firstName: 'Nome',
    lastName: 'Cognome',
    about: 'Su di te',
    submit: 'Salva',
    success: 'Profilo aggiornato!',
    userNameRequired: 'Inserisci un nome utente',
    userNameInvalid:
      'Il nome utente non può contenere spazi né caratteri speciali diversi dal trattino basso!',
    userNameTaken: 'Questo nome utente esiste già!',
  },
  picture: {
    selectImage: 'Scegli un’immagine',
    selectAvatar: 'Scegli un avatar',
    hint: 'Meglio 500 × 500 pixel',
    remove: 'Rimuovi l’immagine',
  },
  avatars: {
    title: 'Scegli un avatar',
    select: 'Scegli',
    avatar: 'Avatar {{number}} di {{category}}',
    categories: { animals: 'animali', people: 'persone', space: 'spazio' },
  },
} as const satisfies Translation<typeof english, 'it'>;
