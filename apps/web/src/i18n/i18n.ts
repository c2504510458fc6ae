import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { english } from './en/catalogue';

/** The local key of the chosen language. */
export const languageKey = 'I18N_LANGUAGE';

const fallbackLanguage = 'en';

/** Catalogues of further languages, loaded when chosen; a missing key falls back to English. */
const loaders: Readonly<Record<string, () => Promise<Record<string, object>>>> = {};

/** Changes the language and keeps the choice. */
export async function chooseLanguage(language: string): Promise<void> {
  const catalogue = await loaders[language]?.();
  for (const [namespace, texts] of Object.entries(catalogue ?? {}))
    i18n.addResourceBundle(language, namespace, texts);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(languageKey, language);
}

void i18n.use(initReactI18next).init({
  lng: fallbackLanguage,
  fallbackLng: fallbackLanguage,
  resources: { en: english },
  ns: Object.keys(english),
  defaultNS: 'shell',
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
});

const stored = localStorage.getItem(languageKey);
if (stored !== null && stored in loaders) void chooseLanguage(stored);

export { i18n };
