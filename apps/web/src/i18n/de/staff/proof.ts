/** What the history is proven by. */
export const proof = {
  title: 'Nachweis',
  lead: 'Jedes Ereignis des Protokolls ist ein Glied einer Kette von Prüfsummen. Wer eines ändert, entfernt oder einfügt, bricht die Kette von dort an.',
  copyHead: 'Kopf nach {{number}} Ereignissen kopieren',
  copied: 'Kopiert',
  chain: {
    title: 'Die Kette',
    events: 'Ereignisse',
    head: 'Kopf',
    verified: 'Verkettet bis {{number}} · zuletzt geprüft {{ago}}',
    notVerified: 'Verkettet bis {{number}} · noch nicht geprüft',
    misfit: 'Passt nicht',
    whole: 'Ganzes Protokoll geprüft',
    never: 'noch nicht',
    behind_one: '{{count}} Ereignis im Rückstand',
    behind_other: '{{count}} Ereignisse im Rückstand',
    farBehind: '{{number}} Ereignisse oder mehr im Rückstand',
    behindHint:
      'Der Hintergrundprozess berechnet den fehlenden Teil. Dauert das länger als eine Minute, sag der Systembetreuung Bescheid.',
  },
  alarm: {
    title: 'Das Protokoll passt nicht zu seinem Nachweis',
    text: 'Jemand hat das Protokoll, seine Kette oder deren Signaturen verändert. Bis es wieder passt, wird nichts signiert, versiegelt oder umgeschaltet.',
    todo: 'Lass die Datenbank, wie sie ist, führe auf dem Server den Befehl unten aus und vergleiche mit einer Sicherung. Das Wartungshandbuch sagt unter „When something does not fit“, wie.',
    found: 'Was gefunden wurde',
  },
  export: {
    title: 'Der Prüfverlauf mit seinem Nachweis',
    text: 'Jede Zeile nennt ihr Ereignis und dessen Prüfsumme in der Kette. Die letzte Zeile ist ein signiertes Siegel über alle, sodass niemand unbemerkt ein Wort ändern kann.',
    csv: 'CSV mit Nachweis',
    ndjson: 'NDJSON mit Nachweis',
    cancel: 'Abbrechen',
    check: 'Die Systembetreuung prüft eine solche Datei mit',
  },
  heads: {
    title: 'Signierte Köpfe',
    text: 'Der Hintergrundprozess signiert die Kette nach je 1.000 Ereignissen und spätestens eine Minute nach dem letzten und schreibt das in eine Datei außerhalb der Datenbank.',
    none: 'Noch ist nichts signiert. Es geschieht spätestens eine Minute nach dem ersten Ereignis.',
    events: 'Ereignisse',
    head: 'Kopf',
    signed: 'Signiert',
  },
  key: {
    title: 'Öffentlicher Schlüssel',
    copy: 'Schlüssel kopieren',
    text: 'Mit diesem Schlüssel ({{keyId}}) kann jeder Signaturen prüfen, ohne Zugang zu Nimo. Gib ihn auf einem anderen Weg weiter als die Dateien.',
  },
  proves: {
    title: 'Was das beweist',
    content:
      'Kein Ereignis vor einem signierten Kopf wurde seither geändert, entfernt oder eingefügt. Auch nicht von jemandem, der in die Datenbank schreiben kann.',
    order: 'Die Ereignisse stehen in der Reihenfolge, in der sie aufgezeichnet wurden.',
    line: 'Eine Zeile eines exportierten Prüfverlaufs lautet so, wie sie exportiert wurde, und ihr Ereignis steht im Protokoll.',
  },
  provesNot: {
    title: 'Was es nicht beweist',
    tail: 'Ereignisse nach dem letzten signierten Kopf: Wer alle Rechte hat, könnte sie abschneiden.',
    key: 'Nichts mehr, sobald der private Schlüssel gestohlen ist: Wer ihn hat, signiert, was er will. Bewahre Kopien der signierten Köpfe anderswo auf.',
    truth:
      'Dass wahr ist, was jemand geschrieben hat. Bewiesen ist, was aufgezeichnet und wann es signiert wurde.',
  },
} as const;
