import {
  type IndexedQuestion,
  mayChangePublicQuestion,
  PUBLIC_PAGE_EVENTS,
  PUBLIC_PAGE_PROJECTIONS,
  type PublicQuestionRows,
  readPublicQuestion,
  type ReadPublicQuestion,
} from '@nimo/projections';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { type LivePlaces, UnchangedReads } from '@nimo/projection-engine';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Pool } from 'pg';
import { validate } from 'uuid';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { escaped } from '../../platform/web/escape-html.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { EVENT_STORE, LOGGER, SETTINGS } from '../../platform/config/tokens.js';
import { siteOrigin } from '../../platform/web/public-address.js';
import type { IsHeld, ServedPage, UnchangedPage } from '../../platform/web/static-web.js';
import { type PublicQuestion, publicQuestionPage } from './public-question-page.js';

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

const QUESTION = /^\/question\/([^/]+)\/?$/;
const NOT_HERE: ServedPage = { status: 404, isIndexed: false };

/** The page is for crawlers and previews, and everybody may ask for it: the app shows the rest. */
const ANSWERS_SHOWN = 20;
const BODIES_SHOWN_BYTES = 128 * 1024;

/** Of some five thousand pages of the usual size; about 10 MB where every page is a long one. */
const MAX_KNOWN_IDS = 100_000;
const IDS_OF_EACH = 10;

/** Enough of a page to tell whether it has changed, and nothing of its content. */
interface KnownPage {
  readonly validator: string;
  readonly isIndexed: boolean;
  readonly rows: PublicQuestionRows;
  /** Where the read side was when the page was made, or was last found unchanged. */
  readonly places: LivePlaces;
}

/** What the server says itself of the addresses that are for everybody. */
@Injectable()
export class PublicPages {
  /** The pages that were made or asked for last. */
  private readonly known = new LRUCache<string, KnownPage>({
    maxSize: MAX_KNOWN_IDS,
    sizeCalculation: ({ rows }) => IDS_OF_EACH + rows.studentIds.size,
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
      onError: (err) => logger.warn({ err }, 'a page is made anew, as nobody could tell whether it changed'),
    });
  }

  async render(path: string, request: FastifyRequest): Promise<ServedPage | undefined> {
    const questionId = questionIdIn(path);
    if (questionId === undefined) return undefined;
    const read = validate(questionId) ? await this.read(questionId) : null;
    if (!read) return NOT_HERE;
    const origin = siteOrigin(request, this.settings.publicUrl);
    const page = publicQuestionPage(shownOf(read), origin);
    const { rows, places } = read;
    const { validator } = page.served;
    this.known.set(addressOf(origin, questionId), { validator, isIndexed: page.isIndexed, rows, places });
    return page;
  }

  /** The page that was made before, without reading its rows, where nothing that happened since concerns it. */
  async unchanged(path: string, request: FastifyRequest, isHeld: IsHeld): Promise<UnchangedPage | undefined> {
    const questionId = questionIdIn(path);
    if (questionId === undefined) return undefined;
    const address = addressOf(siteOrigin(request, this.settings.publicUrl), questionId);
    const page = this.known.get(address);
    if (!page || !isHeld(page.validator)) return undefined;
    const places = await this.reads.since(page.places, (event) => mayChangePublicQuestion(page.rows, event));
    if (!places) return undefined;
    this.known.set(address, { ...page, places });
    return page;
  }

  private read(questionId: string): Promise<ReadPublicQuestion | null> {
    const asked = { questionId, limit: ANSWERS_SHOWN, bodyBytes: BODIES_SHOWN_BYTES };
    return this.work.run('page', () => readPublicQuestion(this.pool, asked));
  }
}

const questionIdIn = (path: string): string | undefined => QUESTION.exec(path)?.[1]?.toLowerCase();

const addressOf = (origin: string | undefined, questionId: string): string => `${origin ?? ''} ${questionId}`;

/** As somebody sees it who is not signed in. */
function shownOf({ view }: ReadPublicQuestion): PublicQuestion {
  const accepted = view.question.acceptedAnswer?._id;
  const answers = view.answers.map((shown) => ({ ...shown, isAccepted: shown.answer._id === accepted }));
  return { ...view, answers };
}
