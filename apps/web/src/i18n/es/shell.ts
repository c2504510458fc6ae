import type { shell as english } from '../en/shell';
import type { Translation } from '../translation';

export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  narrow: 'Nimo está disponible en el ordenador o como app para estudiantes en la tienda.',
  skipToContent: 'Ir al contenido',
  menu: {
    label: 'Menú principal',
    goToSpaces: 'Ir a los espacios',
    nimoAsk: 'Nimo Ask',
    leaderboard: 'Clasificación',
    myProfile: 'Mi perfil',
    exitSpace: 'Salir del espacio',
    logout: 'Cerrar sesión',
  },
  userMenu: { label: 'Cuenta de {{name}}', settings: 'Ajustes', logout: 'Cerrar sesión' },
  colourScheme: { toDark: 'Cambiar al modo oscuro', toLight: 'Cambiar al modo claro' },
  exit: {
    title: 'Salir del espacio',
    text: '¿De verdad quieres salir del espacio?',
    confirm: 'Salir del espacio',
  },
  logout: {
    title: 'Cerrar sesión',
    text: '¿De verdad quieres cerrar sesión?',
    confirm: 'Cerrar sesión',
    inProgress: 'Cerrando tu sesión…',
  },
  action: { cancel: 'Cancelar', close: 'Cerrar', retry: 'Reintentar', back: 'Atrás' },
  language: 'Idioma',
  loading: 'Cargando…',
  error: {
    title: 'Algo no ha funcionado',
    unreachable: 'No se puede conectar con Nimo. Comprueba tu conexión e inténtalo de nuevo.',
    referred: '{{text}} (Para soporte: {{reference}})',
    stale: 'Puede que lo que ves no esté actualizado. {{reason}}',
    upload: 'No se ha podido subir el archivo {{name}}',
    crashTitle: 'Algo se ha roto en esta pantalla',
    crashText: 'No es culpa tuya. Vuelve a cargar la página; no se pierde nada de lo guardado.',
    reload: 'Volver a cargar',
  },
  notFound: {
    title: 'Página no encontrada',
    heading: 'Aquí no hay nada',
    text: 'Puede que la dirección esté mal escrita o que la página se haya movido.',
    toSpaces: 'Ir a los espacios',
  },
} as const satisfies Translation<typeof english, 'es'>;
