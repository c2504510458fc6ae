import Negotiator from 'negotiator';

/** Languages of the product. English comes first: it is the fallback. */
export const LANGUAGES = ['en', 'de', 'es', 'it', 'ru'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (code: unknown): code is Language =>
  LANGUAGES.some((language) => language === code);

/**
 * The language a client prefers among those of the product.
 *
 * @param header `Accept-Language` (RFC 9110, 12.5.4)
 * @returns undefined if the header names none of them
 */
export function preferredLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined;
  const accepted = new Negotiator({ headers: { 'accept-language': header } }).language([...LANGUAGES]);
  return isLanguage(accepted) ? accepted : undefined;
}
