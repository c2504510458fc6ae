import type { TargetLanguage } from './languages';

const names = ['Nimo', 'Nimo Ask', 'Nimo Sense', 'Admin'];

/** Texts that are no leftovers although they are the English ones: names, and words that both languages write alike. */
export const sameInEnglish: Readonly<Record<TargetLanguage, ReadonlySet<string>>> = {
  de: new Set([...names, 'Code']),
  es: new Set([...names]),
  it: new Set([...names]),
  ru: new Set([...names]),
};
