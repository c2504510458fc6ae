import type { richText as english } from '../en/rich-text';
import type { Translation } from '../translation';

export const richText = {
  formula: {
    control: 'Formel',
    source: 'Formel in LaTeX',
    block: 'In einer eigenen Zeile',
    preview: 'Vorschau der Formel',
    previewEmpty: 'Was du schreibst, erscheint hier.',
    insert: 'Einfügen',
    change: 'Ändern',
    wrong: 'Diese Formel enthält einen Fehler.',
    mistake: 'Diese Formel enthält einen Fehler: {{reason}}',
  },
  code: {
    label: 'Quelltext',
    language: 'Sprache des Quelltexts',
    plain: 'Nur Text',
    copy: 'Code kopieren',
    copied: 'Kopiert!',
    copyFailed: 'Kopieren wurde verweigert',
  },
  image: {
    uploading: 'Bild {{number}} wird hochgeladen',
    tools: 'Ansicht des Bildes',
  },
} as const satisfies Translation<typeof english, 'de'>;
