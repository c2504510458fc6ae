import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import fastify from 'fastify';
import { Turns } from '../runtime/turns.js';
import { LargeAnswers, PIECE_BYTES } from './large-answers.js';

const dataOf = (bodies: number) => ({
  docs: Array.from({ length: bodies }, (_, n) => ({ _id: n, body: '<p>“ü”\n'.repeat(8_000) })),
});

function largeAnswers() {
  const turns = new Turns();
  const answers = new LargeAnswers(turns);
  const [gone, written] = [new AbortController(), jest.fn<() => void>()];
  const expectOf = (data: object, response = new ServerResponse(new IncomingMessage(new Socket()))): void =>
    answers.expect(data, { client: 'a', response, gone: gone.signal, written });
  return { answers, turns, gone, written, expectOf };
}

/** Of a server that answers with `data`: the text, its length in words of the protocol, and the bytes of each piece that was sent. */
async function sentOf({ answers, expectOf }: ReturnType<typeof largeAnswers>, data: Record<string, unknown>) {
  const server = fastify();
  const pieces: number[] = [];
  answers.sendInPieces(server);
  server.post('/', async (_request, reply) => {
    const write = reply.raw.write.bind(reply.raw);
    jest.spyOn(reply.raw, 'write').mockImplementation((chunk: Buffer) => {
      pieces.push(chunk.length);
      return write(chunk);
    });
    expectOf(data, reply.raw);
    return answers.stringify({ data });
  });
  try {
    const { body, headers } = await server.inject({ method: 'POST', url: '/' });
    return { body, length: Number(headers['content-length']), pieces };
  } finally {
    await server.close();
  }
}

describe('large answers', () => {
  it('are written as others are', async () => {
    const large = largeAnswers();
    const data = dataOf(40);
    const { body } = await sentOf(large, data);
    expect(body).toBe(`${JSON.stringify({ data })}\n`);
    expect(large.written).toHaveBeenCalledTimes(1);
  });

  it('are sent a piece at a time, however many there are, and never put together', async () => {
    const { body, length, pieces } = await sentOf(largeAnswers(), dataOf(60));
    const bytes = Buffer.byteLength(body);
    expect(length).toBe(bytes);
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(bytes);
    expect(bytes).toBeGreaterThan(10 * PIECE_BYTES);
    // A character has three bytes at most, and the last text comes whole.
    expect(Math.max(...pieces)).toBeLessThan(4 * PIECE_BYTES);
  });

  it('are sent with others served between two pieces', async () => {
    const large = largeAnswers();
    let [turns, isOver] = [0, false];
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    large.written.mockImplementation(() => {
      setImmediate(others);
    });
    const { pieces } = await sentOf(large, dataOf(60));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(pieces.length);
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

  it('are there at once where they are small', () => {
    expect(largeAnswers().answers.stringify({ data: { a: 1 } })).toBe('{"data":{"a":1}}\n');
  });

  it('leave what others are sent as it is', async () => {
    const server = fastify();
    largeAnswers().answers.sendInPieces(server);
    server.get('/', () => 'small');
    const { body } = await server.inject('/');
    expect(body).toBe('small');
    await server.close();
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
    const { answers, turns, written, expectOf } = largeAnswers();
    jest.spyOn(turns, 'enter').mockRejectedValue(new Error('no turn'));
    const data = dataOf(1);
    expectOf(data);
    await expect(answers.stringify({ data })).rejects.toThrow('no turn');
    expect(written).toHaveBeenCalledTimes(1);
  });
});
