import type { consent as english } from '../en/consent';
import type { Translation } from '../translation';

export const consent = {
  age: {
    title: 'Wie alt bist du?',
    text: 'Wer jünger als {{age}} ist, tritt {{name}} mit der Zustimmung eines Elternteils oder Vormunds bei. Deine Antwort sehen nur die Moderatoren des Raums.',
    below: 'Jünger als {{age}}',
    from: '{{age}} oder älter',
    asksMembers: '{{name}} fragt jetzt, wie alt seine Mitglieder sind.',
    answer: 'Antworten',
  },
  ask: {
    title: 'Eltern oder Vormund fragen',
    text: 'Du trittst {{name}} bei, sobald ein Elternteil oder Vormund zustimmt. Gib die E-Mail-Adresse an: Sie bekommt einen Link, ein Konto ist nicht nötig.',
    asked: 'Der Link ist gesendet. Er gilt 14 Tage. Du kannst beitreten, sobald zugestimmt wurde.',
    refused:
      'Dein Elternteil oder Vormund hat abgelehnt oder die Zustimmung zurückgenommen. Sprecht darüber, bevor du noch einmal fragst.',
    email: 'E-Mail eines Elternteils oder Vormunds',
    send: 'Link senden',
    sendAgain: 'Neuen Link senden',
    sent: 'Link gesendet.',
    close: 'Schließen',
  },
  waiting: 'Wartet auf Zustimmung',
  given: 'Dein Elternteil oder Vormund hat zugestimmt. Du kannst {{name}} jetzt beitreten.',
  page: {
    title: 'Zustimmung eines Elternteils oder Vormunds',
    lead: 'Eine Schülerin oder ein Schüler bittet dich darum.',
    givenTitle: 'Zustimmung erteilt',
    refusedTitle: 'Zustimmung verweigert',
    answered: 'Du hast diese Anfrage beantwortet.',
    missing: 'Um zu antworten oder deine Antwort zu ändern, öffne den Link in der E-Mail noch einmal.',
    question:
      '{{userName}} möchte „{{name}}“ auf Nimo beitreten, einer Gemeinschaft, in der Lernende fragen und antworten. Sie oder er gibt an, jünger als {{age}} zu sein, und nennt dich als Elternteil oder Vormund.',
    about: 'Über den Raum: {{description}}',
    kept: 'Nimo hält fest, dass jemand mit diesem Link zugestimmt oder abgelehnt hat, und wann. Deine E-Mail-Adresse wird mit deiner Antwort gelöscht.',
    terms: 'Lies die <terms>Nutzungsbedingungen</terms>, die auch hier gelten.',
    agree: 'Ich stimme zu',
    refuse: 'Ich lehne ab',
    given: 'Du hast zugestimmt. {{userName}} kann „{{name}}“ beitreten.',
    keep: 'Bewahre die E-Mail auf: Mit demselben Link kannst du deine Zustimmung jederzeit zurücknehmen. {{userName}} verlässt dann den Raum.',
    takeBack: 'Zustimmung zurücknehmen',
    refused: 'Du hast abgelehnt. {{userName}} kann „{{name}}“ nicht beitreten.',
    toNimo: 'Was ist Nimo?',
  },
} as const satisfies Translation<typeof english, 'de'>;
