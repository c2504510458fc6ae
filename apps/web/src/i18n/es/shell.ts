import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  action: { save: 'Guardar', cancel: 'Cancelar', close: 'Cerrar', retry: 'Reintentar', back: 'Atrás' },
  language: 'Idioma',
  loading: 'Cargando…',
  error: {
    goneTitle: 'Hay una nueva versión de Nimo',
    goneText: 'Vuelve a cargar la página para continuar. No se pierde nada de lo guardado.',
    title: 'Algo no ha funcionado',
    unreachable: 'No se puede conectar con Nimo. Comprueba tu conexión e inténtalo de nuevo.',
    referred: '{{text}} (Para soporte: {{reference}})',
    stale: 'Puede que lo que ves no esté actualizado. {{reason}}',
    upload: 'No se ha podido subir el archivo {{name}}',
    crashTitle: 'Algo se ha roto en esta pantalla',
    crashText: 'No es culpa tuya. Vuelve a cargar la página; no se pierde nada de lo guardado.',
    reload: 'Volver a cargar',
  },
} as const satisfies Translation<typeof english, 'es'>;
