import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { firstLoad } from './en/first-load';
import { isLanguage, type Language } from './languages';

/** The local key of the chosen language. */
export const languageKey = 'I18N_LANGUAGE';

const fallbackLanguage: Language = 'en';

type Texts = Readonly<Record<string, object>>;

/** What the pages before the log-in need. English comes with the page, the others when they are chosen. */
const firstTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => Promise.resolve(firstLoad),
  de: async () => (await import('./de/first-load')).firstLoad,
  es: async () => (await import('./es/first-load')).firstLoad,
  it: async () => (await import('./it/first-load')).firstLoad,
  ru: async () => (await import('./ru/first-load')).firstLoad,
};

const allTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./en/catalogue')).english,
  de: async () => (await import('./de/catalogue')).catalogue,
  es: async () => (await import('./es/catalogue')).catalogue,
  it: async () => (await import('./it/catalogue')).catalogue,
  ru: async () => (await import('./ru/catalogue')).catalogue,
};

/** Whether more than the pages before the log-in is shown. */
let isInside = false;

async function load(language: Language): Promise<void> {
  const texts = await (isInside ? allTexts : firstTexts)[language]();
  for (const [area, text] of Object.entries(texts)) i18n.addResourceBundle(language, area, text);
}

async function show(language: Language): Promise<void> {
  await load(language);
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

/** Loads a part of the product together with the texts of all areas, in the language of the screen and in English to fall back on. */
export function withAllTexts<Part>(loadPart: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    isInside = true;
    const shown = isLanguage(i18n.language) ? i18n.language : fallbackLanguage;
    const [part] = await Promise.all([loadPart(), load(fallbackLanguage), load(shown)]);
    return part;
  };
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
  resources: { [fallbackLanguage]: firstLoad },
  defaultNS: 'shell',
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
});

export { i18n };
