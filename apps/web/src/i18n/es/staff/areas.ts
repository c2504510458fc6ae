import type { areas as english } from '../../en/staff/areas';
import type { Translation } from '../../translation';

export const areas = {
  menu: 'Áreas',
  moderation: 'Moderación',
  audit: 'Auditoría',
  maintenance: 'Mantenimiento',
  space: 'Espacio',
  sections: {
    queue: 'Publicaciones denunciadas',
    patterns: 'Patrones de votos',
    cases: 'Votos anulados',
    history: 'Historial',
    asOf: 'Estado de entonces',
    proof: 'Prueba',
    projections: 'Proyecciones',
    scoring: 'Reglas de puntuación',
    spaces: 'Espacios y materias',
    avatars: 'Avatares',
    roles: 'Funciones',
    students: 'Estudiantes',
    news: 'Noticias',
  },
} as const satisfies Translation<typeof english, 'es'>;
