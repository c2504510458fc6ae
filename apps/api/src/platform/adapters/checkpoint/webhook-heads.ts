import { createHmac } from 'node:crypto';
import { type HeadsRead, type ExternalCheckpoint, isSignedHead, type SignedHead } from '@nimo/event-store';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;
const PAGE = 1_000;
const LAST = 10;

const answered = z.object({ heads: z.array(z.unknown()) });

/**
 * An external webhook as checkpoint (protocol in docs/maintenance.md). It is not trusted: heads are verified by signature, and missing ones
 * are detected.
 */
export class WebhookHeads implements ExternalCheckpoint {
  readonly name = 'LOG_CHECKPOINT_URL';

  constructor(
    private readonly url: string,
    private readonly secret: string,
  ) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    for (const head of heads) {
      const body = JSON.stringify(head);
      const headers = { 'content-type': 'application/json', ...this.signature(body) };
      const response = await this.send(this.url, { method: 'POST', headers, body });
      await response.body?.cancel();
    }
  }

  async read(after = 0, limit = Infinity): Promise<HeadsRead> {
    const heads: SignedHead[] = [];
    let damagedLines = 0;
    for (let from = after; heads.length < limit;) {
      const pageLimit = Math.min(PAGE, limit - heads.length);
      const page = await this.page(`after=${from}&limit=${pageLimit}`);
      heads.push(...page.heads);
      damagedLines += page.damagedLines;
      const last = page.heads.at(-1)?.ordinal;
      if (last === undefined || last <= from || page.heads.length < pageLimit) break;
      from = last;
    }
    return { heads, damagedLines };
  }

  last(): Promise<HeadsRead> {
    return this.page(`last=${LAST}`);
  }

  private async page(query: string): Promise<HeadsRead> {
    const url = new URL(this.url);
    url.search = query;
    const response = await this.send(url.href, { headers: this.signature(url.search) });
    const { heads: received } = answered.parse(await response.json());
    const heads = received.filter(isSignedHead).sort((a, b) => a.ordinal - b.ordinal);
    return { heads, damagedLines: received.length - heads.length };
  }

  private signature(text: string): { readonly 'x-nimo-signature': string } {
    return { 'x-nimo-signature': `sha256=${createHmac('sha256', this.secret).update(text).digest('hex')}` };
  }

  private async send(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new Error(`the log checkpoint webhook responded with ${response.status}`);
  }
}
