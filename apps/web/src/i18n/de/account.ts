import type { account as english } from '../en/account';
import type { Translation } from '../translation';

export const account = {
  email: 'E-Mail',
  userName: 'Benutzername',
  password: 'Passwort',
  emailInvalid: 'Bitte gib eine gültige E-Mail-Adresse ein.',
  register: {
    title: 'Registrieren',
    lead: 'Mit deiner E-Mail-Adresse. Wir schicken dir einen Link, mit dem du sie bestätigst.',
    submit: 'Registrieren',
    success: 'Die Registrierung hat geklappt',
    sent: 'Wir haben einen Link an {{email}} geschickt. Bestätige damit deine E-Mail-Adresse, dann kannst du dich anmelden.',
    hasAccount: 'Hast du schon ein Konto?',
    login: 'Anmelden',
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Noch ein Schritt, dann kannst du dich anmelden.',
    submit: 'Adresse bestätigen',
    otherUserName: 'Der Name ist inzwischen vergeben. Wähle einen anderen.',
    password:
      'Das Passwort, mit dem du dich anmeldest. Es gilt erst hier, wo feststeht, dass das Postfach dir gehört.',
    done: 'Deine E-Mail-Adresse ist bestätigt.',
    doneText: 'Melde dich mit dem Benutzernamen {{userName}} oder deiner E-Mail-Adresse an.',
    login: 'Jetzt anmelden',
    again: 'Noch einmal registrieren',
  },
  forgot: {
    title: 'Passwort zurücksetzen',
    lead: 'Gib die E-Mail-Adresse deines Kontos ein. Wir schicken dir einen Link für ein neues Passwort.',
    submit: 'Passwort zurücksetzen',
    sent: 'Der Link ist unterwegs. Sieh zuerst in deinem Postfach nach',
    remembered: 'Ist es dir wieder eingefallen?',
    byEmail: 'Per E-Mail zurücksetzen',
  },
  reset: {
    title: 'Neues Passwort festlegen',
    lead: 'Es ersetzt das alte; wer damit angemeldet ist, wird abgemeldet.',
    submit: 'Neues Passwort festlegen',
    done: 'Das Passwort ist geändert!',
    again: 'Neuen Link anfordern',
  },
  social: {
    phone: 'oder mit deiner E-Mail-Adresse',
    cancelled: 'Die Anmeldung wurde abgebrochen.',
    failed: 'Die Anmeldung hat nicht geklappt. Bitte versuche es noch einmal.',
    expired: 'Das hat zu lange gedauert. Bitte melde dich noch einmal an.',
    emailRequired:
      'Dieses Konto hat keine bestätigte E-Mail-Adresse. Bitte registriere dich mit Handynummer oder E-Mail-Adresse.',
    createdText: 'Noch ein Schritt bei deinem Anbieter, dann bist du angemeldet.',
  },
} as const satisfies Translation<typeof english, 'de'>;
