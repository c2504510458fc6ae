import type { connection as english } from '../en/connection';
import type { Translation } from '../translation';

export const connection = {
  offline: 'Estás sin conexión. Lo que has escrito sigue aquí.',
  unreachable: 'No se puede conectar con Nimo. Reintentando…',
  unsent: 'Aún no se ha enviado. Nimo lo enviará cuando vuelva la conexión.',
  late: 'Lo último que hiciste está guardado. Puede que aún no se vea en todas partes.',
  newVersion: 'Hay una nueva versión de Nimo.',
} as const satisfies Translation<typeof english, 'es'>;
