import type { recovery as english } from '../en/recovery';
import type { Translation } from '../translation';

export const recovery = {
  factorCode: 'Codice del tuo secondo fattore',
  factorCodeHint: 'Sei cifre della tua app o un codice di recupero.',
  title: 'Password dimenticata',
  lead: 'Inserisci il numero di cellulare del tuo account.',
  sendCode: 'Richiedi il codice',
  otpTitle: 'Verifica del codice',
  codeSent: 'Abbiamo inviato un codice al +91\u00a0{{phone}}.',
  invalidOtp: 'Codice non valido. Inserisci un codice valido.',
  newTitle: 'Imposta una nuova password',
  codeAccepted: 'Il codice è giusto. Scegli una nuova password.',
  newPassword: 'Nuova password',
  confirmPassword: 'Conferma la password',
  passwordRequired: 'Inserisci una password',
  confirmRequired: 'Conferma la tua password',
  mismatch: 'Le password non corrispondono',
  submit: 'Imposta la nuova password',
  failed: 'Qualcosa è andato storto! Riprova tra 10 minuti.',
  changedTitle: 'Password cambiata',
  changedText: 'Ora puoi accedere con la nuova password.',
  loginNow: 'Accedi ora',
} as const satisfies Translation<typeof english, 'it'>;
