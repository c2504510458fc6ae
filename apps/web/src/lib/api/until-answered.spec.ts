import { describe, expect, it } from '@jest/globals';
import { untilAnswered } from './until-answered';

const DONE = '{"data":{"done":true}}';
const answer = (body: string, status = 200) => new Response(body, { status });

/** Sends until answered. Each attempt returns or throws the next outcome. */
async function sending(outcomes: readonly (Response | Error)[], isMutation = true) {
  const waited: number[] = [];
  let sent = 0;
  const send = () => {
    const outcome = outcomes[sent] ?? answer(DONE);
    sent += 1;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  const wait = async (most: number) => void waited.push(most);
  const result = await untilAnswered(send, { waits: [1, 2, 4], isMutation, wait }).catch(
    (error: unknown) => error,
  );
  return { sent, waited, result };
}

/** A response whose body breaks off after the text. */
const cut = (text: string): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        controller.error(new TypeError('terminated'));
      },
    }),
  );

describe('a request whose answer is lost', () => {
  it.each([
    ['the connection', () => new TypeError('Failed to fetch')],
    ['half of the answer', () => cut(DONE.slice(0, 9))],
    ['half of the answer, which ends as if that were all', () => answer(DONE.slice(0, 9))],
    ['all of the answer, which ends as if that were all', () => answer('')],
    ['the api behind its proxy', () => answer('<h1>502 Bad Gateway</h1>', 502)],
    ['the api, while the proxy speaks JSON', () => answer('{"message":"no upstream"}', 503)],
    ['the api, of which the proxy waits no longer', () => answer('', 504)],
  ])('is retried after losing %s', async (_what, lost) => {
    const { sent, waited, result } = await sending([lost(), lost()]);
    expect([sent, waited]).toEqual([3, [1, 2]]);
    expect(await (result as Response).json()).toEqual({ data: { done: true } });
  });

  it('fails after the last attempt', async () => {
    const lost = new TypeError('Failed to fetch');
    const { sent, waited, result } = await sending([lost, lost, lost, lost, lost]);
    expect([sent, waited, result]).toEqual([4, [1, 2, 4], lost]);
    const away = await sending(Array.from({ length: 9 }, () => answer('away', 502)));
    expect([away.sent, (away.result as Response).status]).toEqual([4, 502]);
  });

  it.each([
    ['refuses', '{"errors":[{"message":"No."}]}', 200],
    ['refuses, busy', '{"errors":[{"message":"Later.","extensions":{"code":"UNAVAILABLE"}}]}', 503],
    ['refuses too many', 'Too many requests', 429],
    ['refuses what is too large', 'Too large', 413],
    ['fails', 'Internal Server Error', 500],
  ])('is not retried if the answer %s', async (_what, body, status) => {
    const { sent, result } = await sending([answer(body, status)]);
    expect(sent).toBe(1);
    expect((result as Response).status).toBe(status);
    expect(await (result as Response).text()).toBe(body);
  });

  it('is not retried after it was cancelled', async () => {
    const { sent, result } = await sending([new DOMException('Aborted', 'AbortError')]);
    expect(sent).toBe(1);
    expect(result).toMatchObject({ name: 'AbortError' });
  });

  it("is not retried after a proxy's answer if it is a query", async () => {
    const { sent } = await sending([new TypeError('Failed to fetch'), answer('away', 503)], false);
    expect(sent).toBe(2);
  });
});
