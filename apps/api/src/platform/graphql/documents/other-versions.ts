import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { Pool } from 'pg';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../generated/web-documents.js';
import type { Logger } from '../../logging/logger.js';
import { guarded } from '../../errors/guarded.js';
import { LOGGER } from '../../config/tokens.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const ID = /^[\w-]{16}$/;
/** Far more than one version has; each is a few kilobytes. */
const MAX_KNOWN = 1_000;
/** Several times the current longest; longer texts are not even hashed. */
const MAX_LENGTH = 8 * 1024;

/** Matches `scripts/sent-document.mjs`. */
const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * Documents of other versions of the web app: of tabs older than this API, and of newer pages during a rolling upgrade. Each API process
 * records its own in `state.web_document`.
 */
@Injectable()
export class OtherVersionDocuments implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });
  private recordTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly adapters: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // There is no server when only the schema is printed.
    if (!(this.adapters.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined)) return;
    // Before the server listens, so that no page is served before its documents are known.
    await this.record().catch(this.logError);
    this.recordTimer = setInterval(
      guarded(this.logError, () => this.record()),
      DAY_MS,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.recordTimer);
  }

  /** The document another version knows by this id. */
  async textOf(id: string): Promise<string | undefined> {
    const known = this.known.get(id);
    if (known !== undefined || !ID.test(id)) return known;
    const { rows } = await this.pool.query<{ text: string }>({
      name: 'web_document',
      text: 'select text from state.web_document where id = $1',
      values: [id],
    });
    const text = rows[0]?.text;
    // Only Nimo writes there, but an altered row is still not trusted.
    if (text === undefined || idOf(text) !== id) return undefined;
    this.known.set(id, text);
    return text;
  }

  /** The text found earlier by this id. */
  cachedText(id: string): string | undefined {
    return this.known.get(id);
  }

  /** Whether another version sends this text. */
  async has(text: string): Promise<boolean> {
    return text.length <= MAX_LENGTH && (await this.textOf(idOf(text))) === text;
  }

  /** Ordered by id, so that API processes that start together do not deadlock. */
  private async record(): Promise<void> {
    const ownDocuments = Object.entries({ ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    await this.pool.query(
      `insert into state.web_document (id, text) select * from unnest($1::text[], $2::text[])
       on conflict (id) do update set seen_at = now()
       where web_document.seen_at < now() - interval '1 hour'`,
      [ownDocuments.map(([id]) => id), ownDocuments.map(([, text]) => text)],
    );
  }

  private readonly logError = (err: unknown): void => {
    this.logger.error({ err }, 'could not record the documents of this version');
  };
}
