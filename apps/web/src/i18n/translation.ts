import type { english } from './en/catalogue';
import type { staffEnglish } from './en/staff-catalogue';
import type { serverMessages } from '../generated/server-messages';
import type { TargetLanguage } from './languages';

/** The plural forms that a language tells apart, by CLDR; `many` of Spanish and Italian is for millions. */
interface PluralForms {
  de: 'one' | 'other';
  es: 'one' | 'many' | 'other';
  it: 'one' | 'many' | 'other';
  ru: 'one' | 'few' | 'many' | 'other';
}

type PluralKey = `${string}_${'one' | 'other'}`;

/** Every key of an English text with any text, and every counted one in all forms of the language. */
export type Translation<English, To extends TargetLanguage> = English extends string
  ? string
  : English extends readonly string[]
    ? { readonly [Index in keyof English]: string }
    : {
        readonly [Key in keyof English as Key extends PluralKey ? never : Key]: Translation<English[Key], To>;
      } & {
        readonly [
          Key in keyof English as Key extends `${infer Base}_other` ? `${Base}_${PluralForms[To]}` : never
        ]: string;
      };

type Source = typeof english & { readonly errors: typeof serverMessages };

/** All texts in one language. `errors` are the api's messages, which in English come with its answers. */
export type Catalogue<To extends TargetLanguage> = {
  readonly [Area in keyof Source]: Translation<Source[Area], To>;
};

/** The texts of the moderators' and maintainers' areas in one language. */
export type StaffCatalogue<To extends TargetLanguage> = {
  readonly [Area in keyof typeof staffEnglish]: Translation<(typeof staffEnglish)[Area], To>;
};
