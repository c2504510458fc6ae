import i18n, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import english from './en/first-load.json' with { type: 'json' };
import { isLanguage, type Language, type TargetLanguage } from './languages';

/** Local storage key of the chosen language. */
export const languageKey = 'I18N_LANGUAGE';

const fallbackLanguage: Language = 'en';

/** Loads texts by namespace. */
type Loader = () => Promise<{ readonly default: Readonly<Record<string, object>> }>;

/** Texts of the pages before the login. English is part of the page. */
const firstLoad: Readonly<Record<TargetLanguage, Loader>> = {
  de: () => import('./de/first-load.json', { with: { type: 'json' } }),
  es: () => import('./es/first-load.json', { with: { type: 'json' } }),
  it: () => import('./it/first-load.json', { with: { type: 'json' } }),
  ru: () => import('./ru/first-load.json', { with: { type: 'json' } }),
};

/** Translations of the API's messages, which are English. */
const errors: Readonly<Record<TargetLanguage, Loader>> = {
  de: () => import('./de/errors.json', { with: { type: 'json' } }),
  es: () => import('./es/errors.json', { with: { type: 'json' } }),
  it: () => import('./it/errors.json', { with: { type: 'json' } }),
  ru: () => import('./ru/errors.json', { with: { type: 'json' } }),
};

/** Texts of all other screens. */
const app: Readonly<Record<Language, Loader>> = {
  en: () => import('./en/app.json', { with: { type: 'json' } }),
  de: () => import('./de/app.json', { with: { type: 'json' } }),
  es: () => import('./es/app.json', { with: { type: 'json' } }),
  it: () => import('./it/app.json', { with: { type: 'json' } }),
  ru: () => import('./ru/app.json', { with: { type: 'json' } }),
};

/** Texts of the moderators' and maintainers' areas. */
const staff: Readonly<Record<Language, Loader>> = {
  en: () => import('./en/staff.json', { with: { type: 'json' } }),
  de: () => import('./de/staff.json', { with: { type: 'json' } }),
  es: () => import('./es/staff.json', { with: { type: 'json' } }),
  it: () => import('./it/staff.json', { with: { type: 'json' } }),
  ru: () => import('./ru/staff.json', { with: { type: 'json' } }),
};

let isAppLoaded = false;
let isStaffLoaded = false;

async function load(language: Language): Promise<void> {
  const loaders = [
    ...(language === 'en' ? [] : [firstLoad[language], errors[language]]),
    ...(isAppLoaded ? [app[language]] : []),
    ...(isStaffLoaded ? [staff[language]] : []),
  ];
  for (const { default: texts } of await Promise.all(loaders.map((loader) => loader())))
    for (const [namespace, text] of Object.entries(texts)) i18n.addResourceBundle(language, namespace, text);
}

async function show(language: Language): Promise<void> {
  await load(language);
  await i18n.changeLanguage(language);
}

/** Changes the language and keeps the choice. Rejects, and changes nothing, if the texts cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  localStorage.setItem(languageKey, language);
}

/** Shows the language chosen earlier, or English if its texts cannot be loaded. */
export async function restoreLanguage(): Promise<void> {
  const chosen = localStorage.getItem(languageKey);
  await show(isLanguage(chosen) ? chosen : fallbackLanguage).catch(() => undefined);
}

async function withTexts<Part>(loadPart: () => Promise<Part>): Promise<Part> {
  const shown = isLanguage(i18n.language) ? i18n.language : fallbackLanguage;
  const [part] = await Promise.all([loadPart(), load(fallbackLanguage), load(shown)]);
  return part;
}

/** Loads a part of the app together with the texts of all students' screens, in the current language and in English as the fallback. */
export function withAllTexts<Part>(loadPart: () => Promise<Part>): () => Promise<Part> {
  return () => {
    isAppLoaded = true;
    return withTexts(loadPart);
  };
}

/** Like `withAllTexts`, with the texts of the moderators' and maintainers' areas. */
export function withStaffTexts<Part>(loadPart: () => Promise<Part>): () => Promise<Part> {
  return () => {
    isStaffLoaded = true;
    return withAllTexts(loadPart)();
  };
}

i18n.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

// Follows a choice made in another tab.
window.addEventListener('storage', ({ key }) => {
  if (key === languageKey) void restoreLanguage();
});

/** Writes each `{{count}}` with the separators of the language: 4,309. */
const counts: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: string | number, _, language = fallbackLanguage, { interpolationkey } = {}) =>
    interpolationkey === 'count' && typeof value === 'number'
      ? new Intl.NumberFormat(language).format(value)
      : String(value),
};

void i18n
  .use(initReactI18next)
  .use(counts)
  .init({
    lng: fallbackLanguage,
    fallbackLng: fallbackLanguage,
    resources: { [fallbackLanguage]: english },
    defaultNS: 'shell',
    // React escapes what it renders.
    interpolation: { escapeValue: false, alwaysFormat: true },
    initAsync: false,
  });

export { i18n };
