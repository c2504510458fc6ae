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
/** Far more than a version has; each is a few kilobytes. */
const MAX_KNOWN = 1_000;
/** Several times the longest of today: what is longer is nobody's, and not hashed. */
const MAX_LENGTH = 8 * 1024;

/** As `scripts/sent-document.mjs` makes it. */
const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * Documents of the web app in other versions: of a tab that is older than this api, and of a page that is newer, while apis are being replaced.
 * Each api notes its own in `state.web_document`.
 */
@Injectable()
export class OtherVersions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });
  private noting: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly adapters: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Nothing is served where only the schema is printed.
    if (!(this.adapters.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined)) return;
    // Before it listens, so that no page is there earlier than its documents.
    await this.note().catch(this.tell);
    this.noting = setInterval(
      guarded(this.tell, () => this.note()),
      DAY_MS,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.noting);
  }

  /** The document that another version calls by that id; undefined where none does. */
  async textOf(id: string): Promise<string | undefined> {
    const known = this.known.get(id);
    if (known !== undefined || !ID.test(id)) return known;
    const { rows } = await this.pool.query<{ text: string }>({
      name: 'web_document',
      text: 'select text from state.web_document where id = $1',
      values: [id],
    });
    const text = rows[0]?.text;
    // Nobody but a version of Nimo writes there; a row that was changed is not believed all the same.
    if (text === undefined || idOf(text) !== id) return undefined;
    this.known.set(id, text);
    return text;
  }

  /** What was found before by that id. */
  foundBefore(id: string): string | undefined {
    return this.known.get(id);
  }

  /** Whether another version sends that text. */
  async knows(text: string): Promise<boolean> {
    return text.length <= MAX_LENGTH && (await this.textOf(idOf(text))) === text;
  }

  /** In the order of their ids: apis that start at the same time would lock each other out otherwise. */
  private async note(): Promise<void> {
    const own = Object.entries({ ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    await this.pool.query(
      `insert into state.web_document (id, text) select * from unnest($1::text[], $2::text[])
       on conflict (id) do update set seen_at = now()
       where web_document.seen_at < now() - interval '1 hour'`,
      [own.map(([id]) => id), own.map(([, text]) => text)],
    );
  }

  private readonly tell = (err: unknown): void => {
    this.logger.error({ err }, 'the documents of this version could not be noted');
  };
}
