import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { english } from './en/catalogue';
import { isLanguage, type Language, type TargetLanguage } from './languages';
import type { Catalogue } from './translation';

/** The local key of the chosen language. */
export const languageKey = 'I18N_LANGUAGE';

const fallbackLanguage: Language = 'en';

type Loaders = { readonly [To in TargetLanguage]: () => Promise<{ catalogue: Catalogue<To> }> };

/** English comes with the page, the others when they are chosen. */
const loaders: Loaders = {
  de: () => import('./de/catalogue'),
  es: () => import('./es/catalogue'),
  it: () => import('./it/catalogue'),
  ru: () => import('./ru/catalogue'),
};

async function show(language: Language): Promise<void> {
  if (language !== 'en') {
    const { catalogue } = await loaders[language]();
    for (const [area, texts] of Object.entries(catalogue)) i18n.addResourceBundle(language, area, texts);
  }
  await i18n.changeLanguage(language);
}

/** Changes the language and keeps the choice. Fails, and changes nothing, when the texts cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  localStorage.setItem(languageKey, language);
}

/** Shows the language that was chosen earlier; English when its texts do not come. */
export async function restoreLanguage(): Promise<void> {
  const chosen = localStorage.getItem(languageKey);
  await show(isLanguage(chosen) ? chosen : fallbackLanguage).catch(() => undefined);
}

i18n.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

// Another tab chose.
window.addEventListener('storage', ({ key }) => {
  if (key === languageKey) void restoreLanguage();
});

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

export { i18n };
