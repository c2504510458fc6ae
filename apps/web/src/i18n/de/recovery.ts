import type { recovery as english } from '../en/recovery';
import type { Translation } from '../translation';

export const recovery = {
  factorCode: 'Code deines zweiten Faktors',
  factorCodeHint: 'Sechs Ziffern aus deiner App oder ein Wiederherstellungscode.',
  title: 'Passwort vergessen',
  lead: 'Gib die Handynummer deines Kontos ein.',
  sendCode: 'Code anfordern',
  otpTitle: 'Code bestätigen',
  codeSent: 'Ein Code wurde an +91\u00a0{{phone}} gesendet.',
  invalidOtp: 'Ungültiger Code. Bitte gib einen gültigen Code ein.',
  newTitle: 'Neues Passwort festlegen',
  codeAccepted: 'Der Code stimmt. Wähle ein neues Passwort.',
  newPassword: 'Neues Passwort',
  confirmPassword: 'Passwort wiederholen',
  passwordRequired: 'Bitte gib ein Passwort ein',
  confirmRequired: 'Bitte wiederhole dein Passwort',
  mismatch: 'Die Passwörter stimmen nicht überein',
  submit: 'Neues Passwort festlegen',
  failed: 'Etwas ist schiefgelaufen! Bitte versuche es in 10 Minuten noch einmal.',
  changedTitle: 'Passwort geändert',
  changedText: 'Du kannst dich jetzt mit dem neuen Passwort anmelden.',
  loginNow: 'Jetzt anmelden',
} as const satisfies Translation<typeof english, 'de'>;
