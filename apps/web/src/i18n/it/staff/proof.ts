/** What the history is proven by. */
export const proof = {
  title: 'Prova',
  lead: 'Ogni evento del registro è un anello di una catena di impronte. Chi ne cambia, toglie o inserisce uno spezza la catena da lì in poi.',
  copyHead: 'Copia la testa dopo {{number}} eventi',
  copied: 'Copiato',
  chain: {
    title: 'La catena',
    events: 'Eventi',
    head: 'Testa',
    verified: 'Concatenato fino a {{number}} · ultima verifica {{ago}}',
    notVerified: 'Concatenato fino a {{number}} · non ancora verificato',
    misfit: 'Non corrisponde',
    whole: 'Registro intero verificato',
    never: 'non ancora',
    behind_one: '{{count}} evento di ritardo',
    behind_many: '{{count}} di eventi di ritardo',
    behind_other: '{{count}} eventi di ritardo',
    farBehind: '{{number}} eventi di ritardo o più',
    behindHint:
      'Il processo in background calcola la parte mancante. Se dura più di un minuto, avvisa la manutenzione.',
  },
  alarm: {
    title: 'Il registro non corrisponde alla sua prova',
    text: 'Qualcuno ha cambiato il registro, la sua catena o ciò che ne è stato firmato. Finché non corrisponde di nuovo, nulla viene firmato, sigillato o cambiato.',
    todo: 'Lascia il database com’è, esegui sul server il comando qui sotto e confronta con un backup. La guida alla manutenzione dice come, in «When something does not fit».',
    found: 'Che cosa è stato trovato',
  },
  export: {
    title: 'Il registro di controllo con la sua prova',
    text: 'Ogni riga indica il suo evento e la sua impronta nella catena. L’ultima riga è un sigillo firmato su tutte, così nessuno può cambiare una parola senza che si noti.',
    csv: 'CSV con prova',
    ndjson: 'NDJSON con prova',
    cancel: 'Annulla',
    check: 'La manutenzione verifica un file così con',
  },
  heads: {
    title: 'Teste firmate',
    text: 'Il processo in background firma la catena ogni 1.000 eventi, e al più tardi un minuto dopo l’ultimo, e la scrive in un file fuori dal database.',
    none: 'Non è stato ancora firmato nulla. Avviene al più tardi un minuto dopo il primo evento.',
    events: 'Eventi',
    head: 'Testa',
    signed: 'Firmata',
  },
  key: {
    title: 'Chiave pubblica',
    copy: 'Copia la chiave',
    text: 'Con questa chiave ({{keyId}}) chiunque può verificare le firme senza accesso a Nimo. Consegnala per una via diversa dai file.',
  },
  proves: {
    title: 'Che cosa dimostra',
    content:
      'Nessun evento prima di una testa firmata è stato cambiato, tolto o inserito da allora. Nemmeno da chi può scrivere nel database.',
    order: 'Gli eventi sono nell’ordine in cui sono stati registrati.',
    line: 'Una riga di un registro esportato è come quando fu esportata, e il suo evento è nel registro.',
  },
  provesNot: {
    title: 'Che cosa non dimostra',
    tail: 'Gli eventi dopo l’ultima testa firmata: chi ha tutti i diritti potrebbe tagliarli.',
    key: 'Nulla, se la chiave privata viene rubata: il ladro firma ciò che vuole. Conserva altrove copie delle teste firmate.',
    truth:
      'Che sia vero ciò che le persone hanno scritto. Dimostra che cosa è stato registrato e quando è stato firmato.',
  },
} as const;
