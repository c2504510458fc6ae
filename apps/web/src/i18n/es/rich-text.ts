import type { richText as english } from '../en/rich-text';
import type { Translation } from '../translation';

export const richText = {
  formula: {
    control: 'Fórmula',
    source: 'Fórmula en LaTeX',
    block: 'En una línea propia',
    preview: 'Vista previa de la fórmula',
    previewEmpty: 'Lo que escribas aparecerá aquí.',
    insert: 'Insertar',
    change: 'Cambiar',
    wrong: 'Esta fórmula tiene un error.',
    mistake: 'Esta fórmula tiene un error: {{reason}}',
  },
  code: {
    label: 'Código',
    language: 'Lenguaje del código',
    plain: 'Texto sin formato',
    copy: 'Copiar código',
    copied: '¡Copiado!',
    copyFailed: 'No se pudo copiar',
  },
  image: {
    uploading: 'La imagen {{number}} se está subiendo',
    tools: 'Vista de la imagen',
  },
} as const satisfies Translation<typeof english, 'es'>;
