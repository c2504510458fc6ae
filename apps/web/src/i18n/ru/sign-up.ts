import type { signUp as english } from '../en/sign-up';
import type { Translation } from '../translation';

export const signUp = {
  title: 'Создать аккаунт',
  lead: 'Мы отправим код, чтобы убедиться, что номер твой.',
  getOtp: 'Получить код',
  otpTitle: 'Код для нового аккаунта',
  verifiedTitle: 'Номер телефона подтверждён',
  verifiedText: 'Остался один шаг: расскажи другим, кто ты.',
  done: 'Готово',
  profileTitle: 'Создать профиль',
  profileLead: 'Таким тебя увидят в каждом пространстве.',
  firstName: 'Имя',
  lastName: 'Фамилия',
  userName: 'Имя пользователя',
  password: 'Пароль',
  about: 'О себе',
  submit: 'Начнём!',
  completed: 'Регистрация завершена!',
  createdTitle: 'Аккаунт создан',
  createdText: 'Твоё имя пользователя: {{userName}}. Войти можно и по номеру телефона.',
  loginNow: 'Войти',
} as const satisfies Translation<typeof english, 'ru'>;
