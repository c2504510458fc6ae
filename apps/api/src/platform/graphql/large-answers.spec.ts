import { describe, expect, it, jest } from '@jest/globals';
import { Turns } from '../runtime/turns.js';
import { LargeAnswers, PIECE_BYTES } from './large-answers.js';

const dataOf = (bodies: number) => ({
  docs: Array.from({ length: bodies }, (_, n) => ({ _id: n, body: '<p>“ü”\n'.repeat(8_000) })),
});

function largeAnswers() {
  const turns = new Turns();
  const entered = jest.spyOn(turns, 'enter');
  const answers = new LargeAnswers(turns);
  const [gone, written] = [new AbortController(), jest.fn<() => void>()];
  const expectOf = (data: object): void => answers.expect(data, { client: 'a', gone: gone.signal, written });
  return { answers, entered, gone, written, expectOf };
}

describe('large answers', () => {
  it('are written as others are, a turn for each piece and one to send them', async () => {
    const { answers, entered, written, expectOf } = largeAnswers();
    const data = dataOf(40);
    expectOf(data);
    const text = answers.stringify({ data });
    expect(entered).toHaveBeenCalledTimes(1);
    expect(await text).toBe(`${JSON.stringify({ data })}\n`);
    const pieces = Math.floor(JSON.stringify(data).length / (PIECE_BYTES + 72_000));
    expect(entered.mock.calls.length).toBeGreaterThan(pieces + 1);
    expect(written).toHaveBeenCalledTimes(1);
  });

  it('let others in between', async () => {
    const { answers, expectOf } = largeAnswers();
    const data = dataOf(40);
    expectOf(data);
    let [turns, isOver] = [0, false];
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await answers.stringify({ data });
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  it('take no turn where they are small', () => {
    const { answers, entered } = largeAnswers();
    expect(answers.stringify({ data: { a: 1 } })).toBe('{"data":{"a":1}}\n');
    expect(entered).not.toHaveBeenCalled();
  });

  it('are given up when nobody waits for them, and make room', async () => {
    const { answers, gone, written, expectOf } = largeAnswers();
    const data = dataOf(40);
    expectOf(data);
    const text = answers.stringify({ data });
    gone.abort();
    expect(await text).toBe('');
    expect(written).toHaveBeenCalledTimes(1);
  });

  it('make room where there are too many turns, which is said', async () => {
    const { answers, entered, written, expectOf } = largeAnswers();
    entered.mockRejectedValue(new Error('no turn'));
    const data = dataOf(1);
    expectOf(data);
    await expect(answers.stringify({ data })).rejects.toThrow('no turn');
    expect(written).toHaveBeenCalledTimes(1);
  });
});
