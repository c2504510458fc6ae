import type { TargetLanguage } from './languages';

const names = ['Nimo', 'Nimo Ask', 'Nimo Sense', 'Admin'];

/** Texts that are no leftovers although they are the English ones: names, and words that both languages write alike. */
export const sameInEnglish: Readonly<Record<TargetLanguage, ReadonlySet<string>>> = {
  de: new Set([
    ...names,
    'Name',
    'Code',
    'Emoji',
    'Filter',
    'Link',
    'Generation',
    'Moderation',
    'Mono',
    'Normal',
    'Orange',
    'Passkey',
    'Person',
    'Serif',
    'DNA',
    'Version {{version}}',
  ]),
  es: new Set([...names, 'Color', 'Emoji', 'Mono', 'Normal', 'Sans', 'Serif', 'idea']),
  it: new Set([
    ...names,
    'Formula',
    'Formula in LaTeX',
    'Account',
    '{{count}} account',
    'Banner',
    'Email',
    'Emoji',
    'Link',
    'Mono',
    'OK',
    'Passkey',
    'Password',
    'Post',
    'Sans',
    'Serif',
    'URL',
    'DNA',
    'computer',
    'idea',
  ]),
  ru: new Set([...names]),
};
