import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@nimo/testing';

const TIMEOUT_MS = 4_000;
const RETRY_DELAY_MS = 150;
/** Codes after which the request is retried, as in the web app. */
const RETRYABLE = new Set(['UNAVAILABLE', 'TOO_MANY_REQUESTS']);

export interface Answer {
  readonly data: Record<string, { readonly _id: string } | null> | null;
  /** Error code, if rejected. */
  readonly code: string | undefined;
}

interface Tally {
  sent: number;
  unanswered: number;
  confirmed: number;
  refused: number;
}

/** A signed-in browser that sends each request with one key until it is answered, sometimes twice concurrently. */
export class PersistentClient {
  readonly tally: Tally = { sent: 0, unanswered: 0, confirmed: 0, refused: 0 };
  /** Responses that no client should ever get. */
  readonly faults: string[] = [];
  private isAbandoned = false;

  constructor(
    private readonly url: () => string,
    private readonly token: string,
    private readonly chance: SeededRandom,
  ) {}

  async submit(query: string, variables: Record<string, unknown>, key: string): Promise<Answer> {
    while (!this.isAbandoned) {
      const answers = await Promise.all(
        Array.from({ length: this.chance.isTrue(0.08) ? 2 : 1 }, () => this.send(query, variables, key)),
      );
      const [answer, twin] = answers.filter((one) => one !== undefined);
      if (answer) {
        if (twin && twin.code !== answer.code)
          this.faults.push(`one key, two answers: ${String(answer.code)} and ${String(twin.code)}`);
        this.tally[answer.code === undefined ? 'confirmed' : 'refused'] += 1;
        return answer;
      }
      this.tally.unanswered += 1;
      await delay(RETRY_DELAY_MS);
    }
    return { data: null, code: 'ABANDONED' };
  }

  abandon(): void {
    this.isAbandoned = true;
  }

  /** Returns undefined if the outcome is unknown. */
  private async send(
    query: string,
    variables: Record<string, unknown>,
    key: string,
  ): Promise<Answer | undefined> {
    this.tally.sent += 1;
    // Some requests are aborted early.
    const timeoutMs = this.chance.isTrue(0.03) ? this.chance.between(0, 15) : TIMEOUT_MS;
    try {
      const response = await fetch(`${this.url()}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${this.token}`,
          'idempotency-key': key,
        },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return this.read(await response.text(), query);
    } catch {
      return undefined;
    }
  }

  private read(text: string, query: string): Answer | undefined {
    const { data, errors } = JSON.parse(text) as {
      data?: Answer['data'];
      errors?: { message: string; extensions?: { code?: string } }[];
    };
    const code = errors?.[0]?.extensions?.code;
    if (errors && (code === undefined || code === 'INTERNAL')) {
      this.faults.push(`${query.slice(0, 60)}: ${text.slice(0, 300)}`);
      return undefined;
    }
    if (code !== undefined && RETRYABLE.has(code)) return undefined;
    return { data: data ?? null, code };
  }
}
