import type { shortcuts as english } from '../en/shortcuts';
import type { Translation } from '../translation';

export const shortcuts = {
  skipToContent: 'Ir al contenido',
  title: 'Atajos de teclado',
  menuItem: 'Atajos de teclado',
  switch: 'Atajos de una sola tecla',
  switchHint: 'Desactívalos si pulsas teclas sin querer, por ejemplo al dictar por voz.',
  then: 'y después',
  or: 'o',
  groups: { anywhere: 'En cualquier página', lists: 'Preguntas y resultados', going: 'Ir a' },
  actions: {
    search: 'Buscar',
    ask: 'Hacer una pregunta',
    help: 'Mostrar esta ayuda',
    next: 'Siguiente',
    previous: 'Anterior',
    open: 'Abrir',
    back: 'Volver',
    close: 'Cerrar la pregunta junto a la lista',
    toDashboard: 'Nimo Ask',
    toLeaderboard: 'Clasificación',
    toProfile: 'Mi perfil',
    toSpaces: 'Espacios',
  },
} as const satisfies Translation<typeof english, 'es'>;
