import type { areas as english } from '../../en/staff/areas';
import type { Translation } from '../../translation';

export const areas = {
  menu: 'Разделы',
  moderation: 'Модерация',
  audit: 'Аудит',
  maintenance: 'Обслуживание',
  space: 'Пространство',
  sections: {
    queue: 'Жалобы',
    patterns: 'Закономерности голосов',
    cases: 'Недействительные голоса',
    history: 'История',
    asOf: 'Как было тогда',
    proof: 'Доказательство',
    projections: 'Проекции',
    scoring: 'Правила баллов',
    spaces: 'Пространства и предметы',
    avatars: 'Аватары',
    roles: 'Роли',
    students: 'Учащиеся',
    news: 'Новости',
  },
} as const satisfies Translation<typeof english, 'ru'>;
