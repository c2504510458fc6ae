import { z } from 'zod';

const OWN_DATA_LANGUAGES = ['en', 'de', 'es', 'it', 'ru'] as const;
export type OwnDataLanguage = (typeof OWN_DATA_LANGUAGES)[number];

/** English for one that is not known. */
export const ownDataLanguage = z.enum(OWN_DATA_LANGUAGES).catch('en');
