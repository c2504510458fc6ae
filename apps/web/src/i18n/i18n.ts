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

/** What only the moderators' and maintainers' areas need. */
const staffTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./en/staff-catalogue')).staffEnglish,
  de: async () => (await import('./de/staff-catalogue')).staffCatalogue,
  es: async () => (await import('./es/staff-catalogue')).staffCatalogue,
  it: async () => (await import('./it/staff-catalogue')).staffCatalogue,
  ru: async () => (await import('./ru/staff-catalogue')).staffCatalogue,
};

/** Whether more than the pages before the log-in is shown, and whether an area of moderators or maintainers was. */
let isInside = false;
let isInArea = false;

async function load(language: Language): Promise<void> {
  const bundles = [
    (isInside ? allTexts : firstTexts)[language](),
    ...(isInArea ? [staffTexts[language]()] : []),
  ];
  for (const texts of await Promise.all(bundles)) {
    for (const [area, text] of Object.entries(texts)) i18n.addResourceBundle(language, area, text);
  }
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

async function withTexts<Part>(loadPart: () => Promise<Part>): Promise<Part> {
  const shown = isLanguage(i18n.language) ? i18n.language : fallbackLanguage;
  const [part] = await Promise.all([loadPart(), load(fallbackLanguage), load(shown)]);
  return part;
}

/** Loads a part of the product together with the texts of all screens, in the language of the screen and in English to fall back on. */
export function withAllTexts<Part>(loadPart: () => Promise<Part>): () => Promise<Part> {
  return () => {
    isInside = true;
    return withTexts(loadPart);
  };
}

/** The same with the texts of the moderators' and maintainers' areas. */
export function withStaffTexts<Part>(loadPart: () => Promise<Part>): () => Promise<Part> {
  return () => {
    isInArea = true;
    return withAllTexts(loadPart)();
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
