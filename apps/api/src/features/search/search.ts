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

/** The engine that a setting moved the search to; undefined where it is embedded. */
export const CONFIGURED_ENGINE = Symbol('nimo:configured-engine');

/** The settings come together or not at all. */
export const typesenseServer = ({ typesenseUrl, typesenseApiKey }: Settings): TypesenseServer | undefined =>
  typesenseUrl !== undefined && typesenseApiKey !== undefined
    ? { url: typesenseUrl, apiKey: typesenseApiKey }
    : undefined;

export function configuredEngine(settings: Settings, db: Pool): SearchEngine | undefined {
  const server = typesenseServer(settings);
  return server && new TypesenseSearch({ client: searchClient(server), db });
}

/** Words that questions about anything have in common, in the languages of the product. */
const COMMON = new Set(
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

/** Articles, prepositions, or a word that has just been begun; π is none. */
const SHORT = /^(?!\p{Script=Greek})\p{Ll}{1,2}$/u;

/** Elsewhere, work and the mean are what is asked about. */
const ASKING_VERB = /\b(?:work|mean)(?=\W*$)(?<=^\W*(?:how|what) do(?:es)? (?!i |you |we ).*)/i;

/** A title without the words that say nothing about its subject: two questions are not alike because both begin with "How do I". */
export const subjectWordsOf = (title: string): string =>
  title
    .replace(ASKING_VERB, '')
    .replace(WORD, (word) => (SHORT.test(word) || COMMON.has(word.toLowerCase()) ? '' : word));

interface Found<Hit> {
  readonly hits: readonly Hit[];
  /** The configured engine is away, and the embedded one answered. */
  readonly degraded: boolean;
}

/** An engine that is away is asked again after that long, by one search; the others do not wait for it. */
const ASK_AGAIN_MS = 3_000;

/** The engine that is configured, and the embedded one while it is away. */
@Injectable()
export class Search implements OnApplicationShutdown {
  private readonly embedded: ThreadedSearch;
  /** When the engine that is away is asked again. */
  private askAgainAt: number | undefined;

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
      onLost: (err) => logger.error({ err }, 'the search thread ended; the next search begins another one'),
    });
  }

  /**
   * Brings what changed since the last call into the embedded engine's memory. What only stands in for another engine takes none, nor does one
   * with nothing to search.
   */
  async warmUp(): Promise<void> {
    if (this.configured) return;
    if (this.embedded.isRunning || (await hasSearchDocuments(this.pool))) await this.embedded.warmUp();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.embedded.close();
  }

  findQuestions(search: QuestionSearch): Promise<Found<PostHit>> {
    return this.ask(search, (engine) => engine.findQuestions(search));
  }

  findAnswers(search: PostSearch): Promise<Found<PostHit>> {
    return this.ask(search, (engine) => engine.findAnswers(search));
  }

  findTopics(search: TopicNameSearch): Promise<Found<string>> {
    return this.ask(search, (engine) => engine.findTopics(search));
  }

  findPeople(search: NameSearch): Promise<Found<string>> {
    return this.ask(search, (engine) => engine.findPeople(search));
  }

  private async ask<Hit>(
    { text }: { readonly text: string },
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<Found<Hit>> {
    if (text.trim() === '') return { hits: [], degraded: false };
    return this.work.run('search', async () => {
      const hits = await this.askConfigured(query);
      if (hits) return { hits, degraded: false };
      return { hits: await query(this.embedded), degraded: this.configured !== undefined };
    });
  }

  private async askConfigured<Hit>(
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<readonly Hit[] | undefined> {
    if (!this.configured || !this.isDue()) return undefined;
    try {
      const hits = await query(this.configured);
      if (this.askAgainAt !== undefined) this.logger.info('the search engine is back');
      this.askAgainAt = undefined;
      return hits;
    } catch (err) {
      if (this.askAgainAt === undefined)
        this.logger.warn({ err }, 'the search engine is away: the embedded one answers');
      this.askAgainAt = this.now() + ASK_AGAIN_MS;
      return undefined;
    }
  }

  private isDue(): boolean {
    if (this.askAgainAt === undefined) return true;
    if (this.now() < this.askAgainAt) return false;
    this.askAgainAt = this.now() + ASK_AGAIN_MS;
    return true;
  }

  private now(): number {
    return this.clock().getTime();
  }
}
