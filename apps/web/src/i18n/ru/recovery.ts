import type { recovery as english } from '../en/recovery';
import type { Translation } from '../translation';

export const recovery = {
  factorCode: 'Код второго фактора',
  factorCodeHint: 'Шесть цифр из приложения или резервный код.',
  title: 'Забытый пароль',
  lead: 'Введи номер телефона своего аккаунта.',
  sendCode: 'Получить код',
  otpTitle: 'Проверка кода',
  codeSent: 'Код отправлен на номер +91\u00a0{{phone}}.',
  invalidOtp: 'Неверный код. Введи верный код.',
  newTitle: 'Новый пароль',
  codeAccepted: 'Код верный. Придумай новый пароль.',
  newPassword: 'Новый пароль',
  confirmPassword: 'Повтори пароль',
  passwordRequired: 'Введи пароль',
  confirmRequired: 'Повтори пароль',
  mismatch: 'Пароли не совпадают',
  submit: 'Сохранить пароль',
  failed: 'Что-то пошло не так! Попробуй ещё раз через 10 минут.',
  changedTitle: 'Пароль изменён',
  changedText: 'Теперь можно войти с новым паролем.',
  loginNow: 'Войти',
} as const satisfies Translation<typeof english, 'ru'>;
