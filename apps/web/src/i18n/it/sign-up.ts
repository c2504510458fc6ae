import type { signUp as english } from '../en/sign-up';
import type { Translation } from '../translation';

export const signUp = {
  title: 'Crea un account',
  lead: 'Ti inviamo un codice per essere sicuri che il numero sia tuo.',
  getOtp: 'Richiedi il codice',
  otpTitle: 'Codice per il tuo nuovo account',
  verifiedTitle: 'Numero di cellulare verificato',
  verifiedText: 'Manca solo un passo: di’ agli altri chi sei.',
  done: 'Fatto',
  profileTitle: 'Crea il tuo profilo',
  profileLead: 'Così ti vedranno gli altri in ogni spazio.',
  firstName: 'Nome',
  lastName: 'Cognome',
  userName: 'Nome utente',
  password: 'Password',
  about: 'Su di te',
  submit: 'Iniziamo',
  completed: 'Registrazione completata!',
  createdTitle: 'Account creato',
  createdText: 'Il tuo nome utente è {{userName}}. Puoi accedere anche con il tuo numero di cellulare.',
  loginNow: 'Accedi ora',
} as const satisfies Translation<typeof english, 'it'>;
