/** What the history is proven by. */
export const proof = {
  title: 'Prueba',
  lead: 'Cada evento del registro es un eslabón de una cadena de sumas de comprobación. Quien cambie, quite o inserte uno rompe la cadena desde ahí.',
  copyHead: 'Copiar la cabeza tras {{number}} eventos',
  copied: 'Copiado',
  chain: {
    title: 'La cadena',
    events: 'Eventos',
    head: 'Cabeza',
    verified: 'Encadenado hasta {{number}} · última verificación {{ago}}',
    notVerified: 'Encadenado hasta {{number}} · sin verificar todavía',
    misfit: 'No coincide',
    whole: 'Registro entero verificado',
    never: 'todavía no',
    behind_one: '{{count}} evento de retraso',
    behind_many: '{{count}} de eventos de retraso',
    behind_other: '{{count}} eventos de retraso',
    farBehind: '{{number}} eventos de retraso o más',
    behindHint:
      'El proceso de fondo calcula la parte que falta. Si dura más de un minuto, avisa a mantenimiento.',
  },
  alarm: {
    title: 'El registro no coincide con su prueba',
    text: 'Alguien ha cambiado el registro, su cadena o lo que se firmó de ella. Nada se firma, se sella ni se cambia hasta que vuelva a coincidir.',
    todo: 'Deja la base de datos como está, ejecuta en el servidor la orden de abajo y compara con una copia de seguridad. La guía de mantenimiento explica cómo, en «When something does not fit».',
    found: 'Qué se ha encontrado',
  },
  export: {
    title: 'La auditoría con su prueba',
    text: 'Cada línea nombra su evento y su suma de comprobación en la cadena. La última línea es un sello firmado sobre todas, para que nadie pueda cambiar una palabra sin que se note.',
    csv: 'CSV con prueba',
    ndjson: 'NDJSON con prueba',
    cancel: 'Cancelar',
    check: 'Mantenimiento comprueba un archivo así con',
  },
  heads: {
    title: 'Cabezas firmadas',
    text: 'El proceso de fondo firma la cadena cada 1.000 eventos, y como mucho un minuto después del último, y lo escribe en un archivo fuera de la base de datos.',
    none: 'Aún no se ha firmado nada. Ocurre como mucho un minuto después del primer evento.',
    events: 'Eventos',
    head: 'Cabeza',
    signed: 'Firmada',
  },
  key: {
    title: 'Clave pública',
    copy: 'Copiar la clave',
    text: 'Con esta clave ({{keyId}}) cualquiera puede comprobar firmas sin acceso a Nimo. Entrégala por otro camino que los archivos.',
  },
  proves: {
    title: 'Qué demuestra',
    content:
      'Ningún evento anterior a una cabeza firmada se ha cambiado, quitado o insertado desde entonces. Ni siquiera por alguien que pueda escribir en la base de datos.',
    order: 'Los eventos están en el orden en que se registraron.',
    line: 'Una línea de una auditoría exportada dice lo que decía al exportarla, y su evento está en el registro.',
  },
  provesNot: {
    title: 'Qué no demuestra',
    tail: 'Los eventos posteriores a la última cabeza firmada: alguien con todos los permisos podría cortarlos.',
    key: 'Nada, si roban la clave privada: el ladrón firma lo que quiere. Guarda copias de las cabezas firmadas en otro lugar.',
    truth: 'Que sea verdad lo que la gente escribió. Demuestra qué se registró y cuándo se firmó.',
  },
} as const;
