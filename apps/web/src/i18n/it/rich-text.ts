import type { richText as english } from '../en/rich-text';
import type { Translation } from '../translation';

export const richText = {
  formula: {
    control: 'Formula',
    source: 'Formula scritta in LaTeX',
    block: 'Su una riga a sé',
    preview: 'Anteprima della formula',
    previewEmpty: 'Quello che scrivi compare qui.',
    insert: 'Inserisci',
    change: 'Modifica',
    wrong: 'Questa formula contiene un errore.',
    mistake: 'Questa formula contiene un errore: {{reason}}',
  },
  code: {
    label: 'Codice',
    language: 'Linguaggio del codice',
    plain: 'Testo semplice',
    copy: 'Copia il codice',
    copied: 'Copiato!',
    copyFailed: 'Copia non consentita',
  },
  image: {
    uploading: 'Caricamento dell’immagine {{number}} in corso',
    tools: 'Vista dell’immagine',
  },
} as const satisfies Translation<typeof english, 'it'>;
