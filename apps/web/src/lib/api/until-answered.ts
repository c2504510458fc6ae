/** What a proxy says while there is no api behind it. */
export const awayStatus: ReadonlySet<number> = new Set([502, 503, 504]);

/** How long at most until each next time. */
export type Waits = readonly number[];

/** Reading can be asked for again by whoever reads, and what was read before is shown meanwhile. */
export const readingWaits: Waits = [300, 600];

/** What is to be done outlasts an api that starts again. */
export const doingWaits: Waits = [300, 700, 1_500, 3_000, 6_000];

/** Longer from time to time, and not the same for everybody after an outage. */
export const backOff = (most: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)));

interface Repeats {
  readonly waits: Waits;
  /** What is done may be done by whom nobody hears of: half an answer counts as none, and so does what a proxy says. */
  readonly isMutation: boolean;
  /** Comes back when the next time has come. */
  readonly wait?: (most: number) => Promise<void>;
}

/**
 * Sends a request again while its answer gets lost: before it reached the api, on the way back, or half of it. Who sends gives it one
 * idempotency key for all times, so that it is done once. An answer that refuses is an answer.
 *
 * @param send the same request each time; a `TypeError` is what `fetch` calls a lost connection
 * @returns the answer, read to its end
 */
export async function untilAnswered(
  send: () => Promise<Response>,
  { waits, isMutation, wait = backOff }: Repeats,
): Promise<Response> {
  for (let time = 0; ; time += 1) {
    const most = waits[time];
    try {
      const { text, answer } = await whole(await send());
      if (most === undefined || !isMutation || !isLost(answer, text)) return answer;
    } catch (error) {
      if (most === undefined || !(error instanceof TypeError)) throw error;
    }
    await wait(most);
  }
}

async function whole(response: Response): Promise<{ text: string; answer: Response }> {
  const text = await response.text();
  const { status, statusText, headers } = response;
  return { text, answer: new Response(text, { status, statusText, headers }) };
}

/** What the api says itself is JSON, whatever its status. */
function isLost({ status }: Response, text: string): boolean {
  if (!awayStatus.has(status) && status !== 200) return false;
  try {
    const said: unknown = JSON.parse(text);
    return !(typeof said === 'object' && said !== null && ('data' in said || 'errors' in said));
  } catch {
    return true;
  }
}
