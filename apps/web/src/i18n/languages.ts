/** Languages of the app by code, each under its own name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  it: 'Italiano',
  ru: 'Русский',
} as const;

export type Language = keyof typeof languages;

/** Languages that English is translated into. */
export type TargetLanguage = Exclude<Language, 'en'>;

export const languageCodes = Object.keys(languages) as Language[];

export const isLanguage = (code: unknown): code is Language => typeof code === 'string' && code in languages;
