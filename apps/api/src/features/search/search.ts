import {
  hasSearchDocuments,
  type NameSearch,
  type PostHit,
  type PostSearch,
  type QuestionSearch,
  searchClient,
  type SearchEngine,
  ThreadedSearch,
  type TopicNameSearch,
  TypesenseSearch,
  type TypesenseServer,
} from '@nimo/search';
import { Pool } from 'pg';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Settings } from '../../platform/config/load-settings.js';
import { connectionName } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { type Clock, CLOCK, LOGGER, SETTINGS } from '../../platform/config/tokens.js';

/** Injection token of the external search engine; undefined if search is embedded. */
export const CONFIGURED_ENGINE = Symbol('nimo:configured-engine');

/** Both settings are given, or neither. */
export const typesenseServer = ({ typesenseUrl, typesenseApiKey }: Settings): TypesenseServer | undefined =>
  typesenseUrl !== undefined && typesenseApiKey !== undefined
    ? { url: typesenseUrl, apiKey: typesenseApiKey }
    : undefined;

export function configuredEngine(settings: Settings, db: Pool): SearchEngine | undefined {
  const server = typesenseServer(settings);
  return server && new TypesenseSearch({ client: searchClient(server), db });
}

/** Stop words of questions, in the supported languages. */
const STOP_WORDS = new Set(
  [
    'a an and any are between calculate can could did difference do does doing don explain find for from get give had has have help how i if in is isn it its',
    'know make me must my need no not of on one or please should so solve some than that the their then there these they this to understand use',
    'used using was we were what when where which while who whose why will with works would write you your',
    'aber als am auf auch aus bei berechne berechnen berechnet das dass dem den der des die du ein eine einem einen einer eines er erklären es finde finden funktioniert funktionieren für geht gibt hat',
    'ich im ist kann können man meine mit muss nach nicht oder sich sie sind und unterschied vom von wann warum was welche welcher welches wenn wer werden wie wieso wird wo',
    'woher wozu wurde zu zum zur zwischen',
    'al calcula calcular como cómo con cual cuál cuales cuáles cuando cuándo de del diferencia donde dónde el en entre es está esta este funciona hace hacer hay la las lo los para pero por porque',
    'puede puedo que qué quien quién se si sobre son su sus un una usa',
    'calcola calcolare che chi come cosa cui da dal dalla dei del della delle di differenza dove fa fare funziona gli ha ho il le mi nel nella non per perché perchè più posso può qual quale quali',
    'quando si sono su sul sulla tra fra uno è',
    'в во где для до его ее если есть её и из или их к как какая какие какой какую когда кто ли между можно мне на найти не о об он она они от по почему при работает работают разница с со',
    'такое так то у чем чём что чтобы эта эти это этот я',
  ].flatMap((words) => words.split(' ')),
);

const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]*(?![\p{L}\p{N}+#])/gu;

/** Articles, prepositions or the start of a word, but not π. */
const SHORT = /^(?!\p{Script=Greek})\p{Ll}{1,2}$/u;

/** "work" and "mean" as verbs of a question ("How does X work?"). Elsewhere they may be its subject. */
const ASKING_VERB = /\b(?:work|mean)(?=\W*$)(?<=^\W*(?:how|what) do(?:es)? (?!i |you |we ).*)/i;

/** Title without words that say nothing about its subject: two questions are not similar because both start with "How do I". */
export const searchTermsOf = (title: string): string =>
  title
    .replace(ASKING_VERB, '')
    .replace(WORD, (word) => (SHORT.test(word) || STOP_WORDS.has(word.toLowerCase()) ? '' : word));

interface SearchResult<Hit> {
  readonly hits: readonly Hit[];
  /** Whether the embedded engine answered because the configured one is unavailable. */
  readonly degraded: boolean;
}

/** An unavailable engine is retried after this long, by a single search, so that the others do not wait for it. */
const RETRY_MS = 3_000;

/** Searches with the configured engine, and with the embedded one while it is unavailable. */
@Injectable()
export class Search implements OnApplicationShutdown {
  private readonly embedded: ThreadedSearch;
  /** When to retry the unavailable engine. */
  private retryAt: number | undefined;

  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) { databaseUrl = '' }: Settings,
    @Inject(CONFIGURED_ENGINE) private readonly configured: SearchEngine | undefined,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly work: ExpensiveWork,
  ) {
    this.embedded = new ThreadedSearch({
      url: databaseUrl,
      name: connectionName('api', 'search'),
      onLost: (err) => logger.error({ err }, 'the search thread ended; the next search starts a new one'),
    });
  }

  /**
   * Loads changes since the last call into the embedded engine's memory. Does nothing if that engine is only a fallback or there is nothing
   * to search.
   */
  async warmUp(): Promise<void> {
    if (this.configured) return;
    if (this.embedded.isRunning || (await hasSearchDocuments(this.pool))) await this.embedded.warmUp();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.embedded.close();
  }

  findQuestions(search: QuestionSearch): Promise<SearchResult<PostHit>> {
    return this.search(search, (engine) => engine.findQuestions(search));
  }

  findAnswers(search: PostSearch): Promise<SearchResult<PostHit>> {
    return this.search(search, (engine) => engine.findAnswers(search));
  }

  findTopics(search: TopicNameSearch): Promise<SearchResult<string>> {
    return this.search(search, (engine) => engine.findTopics(search));
  }

  findPeople(search: NameSearch): Promise<SearchResult<string>> {
    return this.search(search, (engine) => engine.findPeople(search));
  }

  private async search<Hit>(
    { text }: { readonly text: string },
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<SearchResult<Hit>> {
    if (text.trim() === '') return { hits: [], degraded: false };
    return this.work.run('search', async () => {
      const hits = await this.searchConfigured(query);
      if (hits) return { hits, degraded: false };
      return { hits: await query(this.embedded), degraded: this.configured !== undefined };
    });
  }

  private async searchConfigured<Hit>(
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<readonly Hit[] | undefined> {
    if (!this.configured || !this.isDue()) return undefined;
    try {
      const hits = await query(this.configured);
      if (this.retryAt !== undefined) this.logger.info('the search engine is available again');
      this.retryAt = undefined;
      return hits;
    } catch (err) {
      if (this.retryAt === undefined)
        this.logger.warn({ err }, 'the search engine is unavailable; using the embedded one');
      this.retryAt = this.now() + RETRY_MS;
      return undefined;
    }
  }

  private isDue(): boolean {
    if (this.retryAt === undefined) return true;
    if (this.now() < this.retryAt) return false;
    this.retryAt = this.now() + RETRY_MS;
    return true;
  }

  private now(): number {
    return this.clock().getTime();
  }
}
