import type { profile as english } from '../en/profile';
import type { Translation } from '../translation';

export const profile = {
  title: 'Mein Profil',
  reputations: 'Ansehen',
  commitments: 'Einsatz',
  tabs: { saved: 'Gemerkte Fragen' },
  saved: {
    emptyTitle: 'Noch nichts gemerkt',
    emptyText: 'Merke dir eine Frage, um sie hier wiederzufinden.',
    toQuestions: 'Fragen ansehen',
    answers_one: '{{count}} Antwort',
    answers_other: '{{count}} Antworten',
    solved: 'Gelöst',
  },
  noAbout: 'Noch keine Beschreibung.',
  edit: {
    open: 'Profil bearbeiten',
    title: 'Profil bearbeiten',
    userName: 'Benutzername',
    firstName: 'Vorname',
    lastName: 'Nachname',
    about: 'Kurz über dich',
    submit: 'Speichern',
    success: 'Dein Profil wurde geändert!',
    userNameRequired: 'Bitte gib einen Benutzernamen ein',
    userNameInvalid:
      'Der Benutzername darf keine Leerzeichen und außer dem Unterstrich keine Sonderzeichen enthalten!',
    userNameTaken: 'Diesen Benutzernamen gibt es schon!',
  },
  picture: {
    selectImage: 'Bild wählen',
    selectAvatar: 'Avatar wählen',
    hint: 'Am besten 500 × 500 Pixel',
    remove: 'Bild entfernen',
  },
  avatars: {
    title: 'Avatar wählen',
    select: 'Auswählen',
    avatar: 'Avatar {{number}} aus {{category}}',
    categories: { animals: 'Tiere', people: 'Menschen', space: 'Weltraum' },
  },
} as const satisfies Translation<typeof english, 'de'>;
