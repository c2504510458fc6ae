import type { consent as english } from '../en/consent';
import type { Translation } from '../translation';

export const consent = {
  age: {
    title: 'Quanti anni hai?',
    text: 'Chi ha meno di {{age}} anni entra in {{name}} con il consenso di un genitore o tutore. Solo i moderatori dello spazio vedono la tua risposta.',
    below: 'Meno di {{age}}',
    from: '{{age}} o più',
    asksMembers: '{{name}} ora chiede l’età dei suoi membri.',
    answer: 'Rispondi',
  },
  ask: {
    title: 'Chiedi a un genitore o tutore',
    text: 'Entrerai in {{name}} quando un genitore o tutore acconsente. Scrivi il suo indirizzo email: riceve un link e non gli serve un account.',
    asked: 'Il link è stato inviato. Vale 14 giorni. Potrai entrare appena acconsente.',
    refused:
      'Il tuo genitore o tutore ha rifiutato o ha ritirato il consenso. Parlane prima di chiedere di nuovo.',
    email: 'Email di un genitore o tutore',
    send: 'Invia link',
    sendAgain: 'Invia un nuovo link',
    sent: 'Link inviato.',
    close: 'Chiudi',
  },
  waiting: 'In attesa del consenso',
  given: 'Il tuo genitore o tutore ha acconsentito. Ora puoi entrare in {{name}}.',
  page: {
    title: 'Consenso di un genitore o tutore',
    lead: 'Te lo chiede uno studente.',
    givenTitle: 'Consenso dato',
    refusedTitle: 'Consenso negato',
    answered: 'Hai risposto a questa richiesta.',
    missing: 'Per rispondere o cambiare la risposta, apri di nuovo il link dell’email.',
    question:
      '{{userName}} vuole entrare in «{{name}}» su Nimo, una comunità in cui gli studenti chiedono e rispondono. Dice di avere meno di {{age}} anni e che sei un suo genitore o tutore.',
    about: 'Lo spazio: {{description}}',
    kept: 'Nimo registra che qualcuno con questo link ha acconsentito o rifiutato, e quando. Il tuo indirizzo viene cancellato con la risposta.',
    terms: 'Leggi le <terms>condizioni d’uso</terms> che valgono per lo studente.',
    agree: 'Acconsento',
    refuse: 'Rifiuto',
    given: 'Hai acconsentito. {{userName}} può entrare in «{{name}}».',
    keep: 'Conserva l’email: con lo stesso link puoi ritirare il consenso in ogni momento. {{userName}} esce allora dallo spazio.',
    takeBack: 'Ritira il consenso',
    refused: 'Hai rifiutato. {{userName}} non può entrare in «{{name}}».',
    toNimo: 'Che cos’è Nimo?',
  },
} as const satisfies Translation<typeof english, 'it'>;
