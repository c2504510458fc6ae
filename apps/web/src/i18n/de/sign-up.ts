import type { signUp as english } from '../en/sign-up';
import type { Translation } from '../translation';

export const signUp = {
  title: 'Konto erstellen',
  lead: 'Wir senden dir einen Code, um sicherzugehen, dass die Nummer dir gehört.',
  getOtp: 'Code anfordern',
  otpTitle: 'Code für dein neues Konto',
  verifiedTitle: 'Handynummer bestätigt',
  verifiedText: 'Ein Schritt fehlt noch: Sag den anderen, wer du bist.',
  done: 'Fertig',
  profileTitle: 'Profil erstellen',
  profileLead: 'So sehen dich die anderen in jedem Raum.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  userName: 'Benutzername',
  password: 'Passwort',
  about: 'Kurz über dich',
  submit: 'Los geht’s',
  completed: 'Du bist registriert!',
  createdTitle: 'Konto erstellt',
  createdText: 'Dein Benutzername ist {{userName}}. Du kannst dich auch mit deiner Handynummer anmelden.',
  loginNow: 'Jetzt anmelden',
} as const satisfies Translation<typeof english, 'de'>;
