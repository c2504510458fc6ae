import type { account as english } from '../en/account';
import type { Translation } from '../translation';

export const account = {
  email: 'E-mail',
  userName: 'Nome utente',
  password: 'Password',
  emailInvalid: 'Inserisci un indirizzo e-mail valido.',
  register: {
    title: 'Registrazione',
    lead: 'Con il tuo indirizzo e-mail. Ti inviamo un link per confermarlo.',
    submit: 'Registrati',
    success: 'Registrazione riuscita',
    sent: 'Abbiamo inviato un link a {{email}}. Seguilo per confermare l’indirizzo, poi accedi.',
    hasAccount: 'Hai già un account?',
    login: 'Accedi',
  },
  confirm: {
    title: 'Conferma il tuo indirizzo',
    lead: 'Manca un passo prima di poter accedere.',
    submit: 'Conferma indirizzo',
    otherUserName: 'Nel frattempo qualcuno ha preso il nome. Scegline un altro.',
    password: 'La password con cui entrerai. Conta solo qui, dove si prova che la casella è tua.',
    done: 'Il tuo indirizzo è confermato.',
    doneText: 'Accedi con il nome utente {{userName}} o con il tuo indirizzo e-mail.',
    login: 'Accedi ora',
    again: 'Registrati di nuovo',
  },
  forgot: {
    title: 'Reimposta la password',
    lead: 'Inserisci l’e-mail del tuo account. Ti inviamo un link per impostare una nuova password.',
    submit: 'Reimposta la password',
    sent: 'Abbiamo inviato il link alla tua casella, controlla prima lì',
    remembered: 'Te la ricordi?',
    byEmail: 'Reimpostala via e-mail',
  },
  reset: {
    title: 'Imposta una nuova password',
    lead: 'Sostituisce quella vecchia e chi è entrato con quella viene disconnesso.',
    submit: 'Imposta la password',
    done: 'Password cambiata!',
    again: 'Chiedi un altro link',
  },
  social: {
    phone: 'o con il tuo indirizzo e-mail',
    cancelled: 'L’accesso è stato annullato.',
    failed: 'L’accesso non è riuscito. Riprova.',
    expired: 'È passato troppo tempo. Accedi di nuovo.',
    emailRequired:
      'Quell’account non ha un indirizzo e-mail confermato. Registrati con il cellulare o l’e-mail.',
    createdText: 'Ancora un passo con il tuo provider e sei dentro.',
  },
} as const satisfies Translation<typeof english, 'it'>;
