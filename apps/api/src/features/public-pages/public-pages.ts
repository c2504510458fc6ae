import {
  type IndexedQuestion,
  mayChangePublicQuestion,
  PUBLIC_PAGE_EVENTS,
  PUBLIC_PAGE_PROJECTIONS,
  type PublicQuestionRows,
  readPublicQuestion,
  type PublicQuestionResult,
} from '@nimo/projections';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { type LivePositions, UnchangedReads } from '@nimo/projection-engine';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Pool } from 'pg';
import { validate } from 'uuid';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { escapeHtml } from '../../platform/web/escape-html.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { EVENT_STORE, LOGGER, SETTINGS } from '../../platform/config/tokens.js';
import { siteOrigin } from '../../platform/web/public-address.js';
import type { IsCached, ServedPage, UnchangedPage } from '../../platform/web/static-web.js';
import { type PublicQuestion, publicQuestionPage } from './public-question-page.js';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Text of robots.txt. Disallows only non-pages: pages hidden from search engines carry noindex. */
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
    .map((address) => `<sitemap><loc>${escapeHtml(address)}</loc></sitemap>`)
    .join('\n')}</sitemapindex>\n`;

export const sitemapOfQuestions = (origin: string, questions: readonly IndexedQuestion[]): string =>
  `${XML}<urlset ${NAMESPACE}>${questions
    .map(
      ({ _id, changedAt }) =>
        `<url><loc>${escapeHtml(`${origin}/question/${_id}`)}</loc><lastmod>${changedAt}</lastmod></url>`,
    )
    .join('\n')}</urlset>\n`;

const QUESTION = /^\/question\/([^/]+)\/?$/;
const NOT_FOUND: ServedPage = { status: 404, isIndexed: false };

/** The page is public and meant for crawlers and previews, so it is limited in size. The app shows the rest. */
const ANSWERS_SHOWN = 20;
const BODIES_SHOWN_BYTES = 128 * 1024;

/** Enough for about five thousand typical pages; about 10 MB if all pages are long. */
const MAX_CACHED_IDS = 100_000;
const IDS_PER_PAGE = 10;

/** Enough of a page to detect changes, without its content. */
interface CachedPage {
  readonly validator: string;
  readonly isIndexed: boolean;
  readonly rows: PublicQuestionRows;
  /** Projection positions when the page was rendered or last validated. */
  readonly places: LivePositions;
}

/** Server-rendered public question pages. */
@Injectable()
export class PublicPages {
  /** The most recently rendered or requested pages. */
  private readonly cache = new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHED_IDS,
    sizeCalculation: ({ rows }) => IDS_PER_PAGE + rows.studentIds.size,
  });
  private readonly reads: UnchangedReads;

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(LOGGER) logger: Logger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'publicUrl'>,
    private readonly work: ExpensiveWork,
  ) {
    this.reads = new UnchangedReads({
      pool,
      store,
      names: PUBLIC_PAGE_PROJECTIONS,
      types: PUBLIC_PAGE_EVENTS,
      onError: (err) => logger.warn({ err }, 'could not check a public page for changes; rendering it again'),
    });
  }

  async render(path: string, request: FastifyRequest): Promise<ServedPage | undefined> {
    const questionId = parseQuestionId(path);
    if (questionId === undefined) return undefined;
    const read = validate(questionId) ? await this.read(questionId) : null;
    if (!read) return NOT_FOUND;
    const origin = siteOrigin(request, this.settings.publicUrl);
    const page = publicQuestionPage(publicViewOf(read), origin);
    const { rows, places } = read;
    const { validator } = page.served;
    this.cache.set(cacheKeyOf(origin, questionId), { validator, isIndexed: page.isIndexed, rows, places });
    return page;
  }

  /** The page rendered before, without reading its rows, if no event since affects it. */
  async unchanged(
    path: string,
    request: FastifyRequest,
    isHeld: IsCached,
  ): Promise<UnchangedPage | undefined> {
    const questionId = parseQuestionId(path);
    if (questionId === undefined) return undefined;
    const address = cacheKeyOf(siteOrigin(request, this.settings.publicUrl), questionId);
    const page = this.cache.get(address);
    if (!page || !isHeld(page.validator)) return undefined;
    const places = await this.reads.since(page.places, (event) => mayChangePublicQuestion(page.rows, event));
    if (!places) return undefined;
    this.cache.set(address, { ...page, places });
    return page;
  }

  private read(questionId: string): Promise<PublicQuestionResult | null> {
    const query = { questionId, limit: ANSWERS_SHOWN, bodyBytes: BODIES_SHOWN_BYTES };
    return this.work.run('page', () => readPublicQuestion(this.pool, query));
  }
}

const parseQuestionId = (path: string): string | undefined => QUESTION.exec(path)?.[1]?.toLowerCase();

const cacheKeyOf = (origin: string | undefined, questionId: string): string =>
  `${origin ?? ''} ${questionId}`;

/** The question as anonymous readers see it. */
function publicViewOf({ view }: PublicQuestionResult): PublicQuestion {
  const accepted = view.question.acceptedAnswer?._id;
  const answers = view.answers.map((shown) => ({ ...shown, isAccepted: shown.answer._id === accepted }));
  return { ...view, answers };
}
