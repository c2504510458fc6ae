import type { account as english } from '../en/account';
import type { Translation } from '../translation';

export const account = {
  email: 'E-Mail',
  userName: 'Benutzername',
  password: 'Passwort',
  emailInvalid: 'Bitte gib eine gültige E-Mail-Adresse ein.',
  terms: {
    title: 'Nutzungsbedingungen',
    version: 'Version {{version}}',
    back: 'Zurück',
    changed:
      'Die Nutzungsbedingungen haben sich geändert. Bitte lies sie und nimm sie an, um weiterzumachen.',
    accept: 'Ich nehme sie an',
    signOut: 'Abmelden',
    deleteAccount: 'Mein Konto löschen',
    bySigningUp: 'Mit der Registrierung nimmst du die <terms>Nutzungsbedingungen</terms> an.',
    text: 'Nimo ist ein Ort, um zu fragen, zu antworten und miteinander zu lernen. Sei freundlich und schreib, was anderen hilft.\n\nWas du schreibst, gehört dir. Die Mitglieder des Raums dürfen es lesen, und alle, wo der Raum öffentlich ist.\n\nSchreib nichts, was andere verletzt, bedroht oder bloßstellt, keine Werbung und nichts, was du nicht teilen darfst. Moderatoren dürfen Beiträge entfernen und Mitglieder sperren.\n\nDein Konto ist nur für dich: Behalte dein Passwort für dich, und stimme und schreibe nicht als jemand anderes.\n\nWas über dich gespeichert ist, kannst du in den Einstellungen jederzeit herunterladen, berichtigen und löschen.',
  },
  register: {
    title: 'Registrieren',
    lead: 'Mit deiner E-Mail-Adresse. Wir schicken dir einen Link, mit dem du sie bestätigst.',
    submit: 'Registrieren',
    success: 'Die Registrierung hat geklappt',
    sent: 'Wir haben einen Link an {{email}} geschickt. Bestätige damit deine E-Mail-Adresse, dann kannst du dich anmelden.',
    otherEmail: 'Andere E-Mail-Adresse verwenden',
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
  confirmed: {
    title: 'E-Mail-Adresse bestätigt',
    lead: 'Du kannst dich jetzt anmelden.',
    used: 'Dieser Link wurde schon benutzt. Melde dich mit deinem Benutzernamen oder deiner E-Mail-Adresse an.',
  },
  unconfirmed: {
    again: 'Mail noch einmal senden',
    sent: 'Mail gesendet. Schau auch im Spam-Ordner nach.',
    over: 'Diese Registrierung wurde bestätigt oder ist abgelaufen. Melde dich an oder registriere dich noch einmal.',
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
} as const satisfies Translation<typeof english, 'de'>;
