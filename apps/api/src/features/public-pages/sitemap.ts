import type { IndexedQuestion } from '@nimo/projections';
import { escaped } from '../../platform/web/escape-html.js';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Pages that are not for search engines say so themselves; only what is no page is kept from being read at all. */
export const robotsText = (origin: string | undefined): string =>
  [
    'User-agent: *',
    'Disallow: /graphql',
    'Disallow: /upload',
    'Disallow: /dev/',
    'Disallow: /health/',
    ...(origin === undefined ? [] : ['', `Sitemap: ${origin}/sitemap.xml`]),
    '',
  ].join('\n');

export const sitemapIndex = (addresses: readonly string[]): string =>
  `${XML}<sitemapindex ${NAMESPACE}>${addresses
    .map((address) => `<sitemap><loc>${escaped(address)}</loc></sitemap>`)
    .join('\n')}</sitemapindex>\n`;

export const sitemapOfQuestions = (origin: string, questions: readonly IndexedQuestion[]): string =>
  `${XML}<urlset ${NAMESPACE}>${questions
    .map(
      ({ _id, changedAt }) =>
        `<url><loc>${escaped(`${origin}/question/${_id}`)}</loc><lastmod>${changedAt}</lastmod></url>`,
    )
    .join('\n')}</urlset>\n`;
