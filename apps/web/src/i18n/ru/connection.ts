import type { connection as english } from '../en/connection';
import type { Translation } from '../translation';

export const connection = {
  offline: 'Нет подключения. То, что ты написал, останется здесь.',
  unreachable: 'Nimo недоступен. Пробуем снова…',
  unsent: 'Ещё не отправлено. Nimo отправит это, когда связь восстановится.',
  late: 'Твоё последнее действие сохранено. Возможно, его пока видно не везде.',
  newVersion: 'Доступна новая версия Nimo.',
} as const satisfies Translation<typeof english, 'ru'>;
