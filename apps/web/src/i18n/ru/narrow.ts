import type { narrow as english } from '../en/narrow';
import type { Translation } from '../translation';

export const narrow = {
  text: 'Nimo доступен на компьютере или как приложение для учащихся в магазине приложений.',
  continue: 'Продолжить в браузере',
} as const satisfies Translation<typeof english, 'ru'>;
