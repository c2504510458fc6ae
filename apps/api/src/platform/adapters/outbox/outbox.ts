import type pg from 'pg';

export type OutboxKind = 'SMS' | 'MAIL';

export interface OutboxMessage {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly recipient: string;
  readonly subject: string | null;
  readonly text: string;
  readonly sentAt: string;
}

const MAX_LISTED = 100;

/** Development outbox: SMS and mails of the last day that would have been sent with a gateway. */
export class Outbox {
  constructor(private readonly pool: pg.Pool) {}

  async put(message: Pick<OutboxMessage, 'kind' | 'recipient' | 'subject' | 'text'>): Promise<void> {
    const { kind, recipient, subject, text } = message;
    await this.pool.query(
      `with old as (delete from state.outbox where sent_at < now() - interval '1 day')
       insert into state.outbox (kind, recipient, subject, text) values ($1, $2, $3, $4)`,
      [kind, recipient, subject, text],
    );
  }

  /** Newest first. */
  async list(): Promise<OutboxMessage[]> {
    const { rows } = await this.pool.query<Omit<OutboxMessage, 'sentAt'> & { sent_at: Date }>(
      'select id, kind, recipient, subject, text, sent_at from state.outbox order by id desc limit $1',
      [MAX_LISTED],
    );
    return rows.map(({ sent_at, ...message }) => ({ ...message, sentAt: new Date(sent_at).toISOString() }));
  }
}
