import type { richText as english } from '../en/rich-text';
import type { Translation } from '../translation';

export const richText = {
  formula: {
    control: 'Формула',
    source: 'Формула в LaTeX',
    block: 'На отдельной строке',
    preview: 'Предпросмотр формулы',
    previewEmpty: 'Здесь появится то, что вы пишете.',
    insert: 'Вставить',
    change: 'Изменить',
    wrong: 'В этой формуле ошибка.',
    mistake: 'В этой формуле ошибка: {{reason}}',
  },
  code: {
    label: 'Код',
    language: 'Язык кода',
    plain: 'Простой текст',
    copy: 'Скопировать код',
    copied: 'Скопировано!',
    copyFailed: 'Скопировать не удалось',
  },
  image: {
    uploading: 'Изображение {{number}} загружается',
    tools: 'Просмотр изображения',
  },
} as const satisfies Translation<typeof english, 'ru'>;
