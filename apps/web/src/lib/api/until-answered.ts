/** Statuses of a proxy without an API behind it. */
export const unavailableStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Maximum delays before each attempt. */
export type RetryDelays = readonly number[];

/** Few attempts: the reader can retry and sees the previous answer meanwhile. */
export const queryRetryDelays: RetryDelays = [300, 600];

/** Enough attempts to outlast a restart of the API. */
export const mutationRetryDelays: RetryDelays = [300, 700, 1_500, 3_000, 6_000];

/** Backoff with jitter. */
export const backOff = (maxMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, maxMs * (0.5 + Math.random() / 2)));

interface RetryOptions {
  readonly waits: RetryDelays;
  /**
   * A lost answer does not tell whether the request was handled. Half an answer counts as lost, and so does a
   * proxy's.
   */
  readonly isMutation: boolean;
  /** Resolves when the next attempt is due. */
  readonly wait?: (maxMs: number) => Promise<void>;
}

/**
 * Retries a request while its answer is lost on the way. The caller gives it one idempotency key for all attempts. A
 * refusal is an answer.
 * @param send sends the same request each time; `fetch` reports a lost connection as a `TypeError`
 * @returns the complete answer
 */
export async function untilAnswered(
  send: () => Promise<Response>,
  { waits, isMutation, wait = backOff }: RetryOptions,
): Promise<Response> {
  for (let time = 0; ; time += 1) {
    const maxMs = waits[time];
    try {
      const { text, answer } = await readFully(await send());
      if (maxMs === undefined || !isMutation || !isLost(answer, text)) return answer;
    } catch (error) {
      if (maxMs === undefined || !(error instanceof TypeError)) throw error;
    }
    await wait(maxMs);
  }
}

async function readFully(response: Response): Promise<{ text: string; answer: Response }> {
  const text = await response.text();
  const { status, statusText, headers } = response;
  return { text, answer: new Response(text, { status, statusText, headers }) };
}

/** The API itself answers with JSON, whatever the status. */
function isLost({ status }: Response, text: string): boolean {
  if (!unavailableStatuses.has(status) && status !== 200) return false;
  try {
    const parsed: unknown = JSON.parse(text);
    return !(typeof parsed === 'object' && parsed !== null && ('data' in parsed || 'errors' in parsed));
  } catch {
    return true;
  }
}
