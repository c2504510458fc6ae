import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { Messages } from '../../platform/pubsub/messages.js';
import { SETTINGS } from '../../platform/config/tokens.js';

export const SLOT_SECONDS = 15 * 60;
const MAX_DROPPED = 20;
/** Carries the keys of finished uploads. The result is in the row. */
const UPLOAD_DONE_CHANNEL = 'nimo_upload_done';

type UploadStatus = 'waiting' | 'received' | 'ready' | 'refused';

export interface UploadState {
  readonly status: UploadStatus;
  readonly rule: string | null;
}

interface OpenedSlot {
  readonly key: string;
  /** API URL for the PUT. */
  readonly url: string;
  /** API URL for the POST after a PUT to the store. */
  readonly doneUrl: string;
}

export const slotInvalid = (): DomainError => new DomainError('UPLOAD_SLOT_INVALID');

/** Single-use upload URLs in `state.upload`. They are signed, so that a forged one costs no query. */
@Injectable()
export class UploadSlots {
  constructor(
    private readonly pool: Pool,
    private readonly messages: Messages,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'signingKey'>,
  ) {}

  async open(studentId: string): Promise<OpenedSlot> {
    const key = `${randomUUID()}.webp`;
    const expires = Math.floor(Date.now() / 1000) + SLOT_SECONDS;
    await this.pool.query(
      `insert into state.upload (key, student_id, status, expires_at) values ($1, $2, 'waiting', to_timestamp($3))`,
      [key, studentId, expires],
    );
    const signed = `?expires=${expires}&signature=${this.sign(key, expires)}`;
    return { key, url: `/upload/${key}${signed}`, doneUrl: `/upload/${key}/done${signed}` };
  }

  /** Deletes up to 20 expired, unused slots. @returns their keys */
  async dropUnused(): Promise<string[]> {
    const { rows } = await this.pool.query<{ key: string }>(
      `delete from state.upload where key in (
         select key from state.upload where status in ('waiting', 'refused') and expires_at < now() - interval '1 day'
         limit ${MAX_DROPPED} for update skip locked)
       returning key`,
    );
    return rows.map(({ key }) => key);
  }

  isSignedUrl(key: string, expires: number, signature: string): boolean {
    if (!Number.isSafeInteger(expires) || expires * 1000 < Date.now()) return false;
    const expected = Buffer.from(this.sign(key, expires));
    const actual = Buffer.from(signature);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  /**
   * Binds the slot to these bytes. The same bytes may be sent again, for example after a lost response.
   * @returns the state so far; undefined if the slot has expired or is bound to other bytes
   */
  async claim(key: string, bytes: Buffer | null): Promise<UploadState | undefined> {
    const { rows } = await this.pool.query<UploadState>(
      `update state.upload set digest = $2,
         holders = case status when 'waiting' then 1 else holders + 1 end,
         status = case status when 'waiting' then 'received' else status end
       where key = $1 and expires_at > now() and (status = 'waiting' or digest = $2) returning status, rule`,
      [
        key,
        createHash('sha256')
          .update(bytes ?? '')
          .digest(),
      ],
    );
    return rows[0];
  }

  /**
   * Frees the slot after a failure, unless another request is processing the same bytes or has handed them to the worker.
   */
  async release(key: string): Promise<void> {
    await this.pool.query(
      `update state.upload set holders = holders - 1,
         status = case when holders > 1 then status else 'waiting' end,
         digest = case when holders > 1 then digest end
       where key = $1 and status = 'received'`,
      [key],
    );
  }

  async finish(key: string, state: UploadState): Promise<void> {
    await this.pool.query('update state.upload set status = $2, rule = $3 where key = $1', [
      key,
      state.status,
      state.rule,
    ]);
    await this.messages.publish(UPLOAD_DONE_CHANNEL, key);
  }

  /** Whether it was uploaded within the last day by an existing account. */
  async isFresh(key: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.upload u left join read.students s on s.student_id = u.student_id
       where u.key = $1 and u.status in ('received', 'ready') and u.expires_at > now() - interval '1 day'
         and not coalesce(s.is_erased, false)`,
      [key],
    );
    return rowCount === 1;
  }

  async stateOf(key: string): Promise<UploadState | undefined> {
    const { rows } = await this.pool.query<UploadState>(
      'select status, rule from state.upload where key = $1',
      [key],
    );
    return rows[0];
  }

  private sign(key: string, expires: number): string {
    return createHmac('sha256', this.settings.signingKey).update(`PUT:${key}:${expires}`).digest('base64url');
  }
}

/** Notifies waiting requests when the worker has finished their upload. */
@Injectable()
export class UploadCompletions implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, Set<() => void>>();
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly messages: Messages) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.messages.subscribe(UPLOAD_DONE_CHANNEL, {
      onMessage: (key) => this.release(key),
      onGap: () => [...this.waiting.keys()].forEach((key) => this.release(key)),
    });
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** Resolves when the upload is done or after the timeout. Call it before enqueueing the work. */
  async waitFor(key: string, timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      // The same bytes may be sent twice concurrently.
      this.waiting.set(key, (this.waiting.get(key) ?? new Set()).add(resolve));
      timer = setTimeout(() => {
        this.stopWaiting(key, resolve);
        resolve();
      }, timeoutMs);
    });
    clearTimeout(timer);
  }

  private release(key: string): void {
    for (const resolve of this.waiting.get(key) ?? []) resolve();
    this.waiting.delete(key);
  }

  private stopWaiting(key: string, resolve: () => void): void {
    const others = this.waiting.get(key);
    others?.delete(resolve);
    if (others?.size === 0) this.waiting.delete(key);
  }
}
