import type { frame as english } from '../en/frame';
import type { Translation } from '../translation';

export const frame = {
  menu: {
    label: 'Menú principal',
    goToSpaces: 'Ir a los espacios',
    nimoAsk: 'Nimo Ask',
    notifications: 'Notifica\u00ADciones',
    leaderboard: 'Clasificación',
    myProfile: 'Mi perfil',
    exitSpace: 'Salir del espacio',
    logout: 'Cerrar sesión',
  },
  announcements: 'Avisos',
  userMenu: { label: 'Cuenta de {{name}}', settings: 'Ajustes', logout: 'Cerrar sesión' },
  colourScheme: { toDark: 'Cambiar al modo oscuro', toLight: 'Cambiar al modo claro' },
  logout: {
    title: 'Cerrar sesión',
    text: '¿De verdad quieres cerrar sesión?',
    confirm: 'Cerrar sesión',
    inProgress: 'Cerrando tu sesión…',
  },
} as const satisfies Translation<typeof english, 'es'>;
