import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as othersServed } from 'node:timers/promises';
import type { ApolloServerOptions } from '@apollo/server';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Turns } from '../runtime/turns.js';
import { asGraphql } from './as-graphql.js';
import { jsonPieces } from './json-pieces.js';
import type { RequestContext } from './request-context.js';

type Stringify = NonNullable<ApolloServerOptions<RequestContext>['stringifyResult']>;
type Answer = Parameters<Stringify>[0];

/** What is less is written in no time: a millisecond or so. */
export const PIECE_BYTES = 256 * 1024;

export interface Taker {
  readonly client: string;
  readonly response: ServerResponse;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  /** Called once it is written, or never will be. */
  readonly written: () => void;
}

/** Answers of many megabytes are written and sent a piece at a time, and others are served between the pieces. */
@Injectable()
export class LargeAnswers {
  private readonly takers = new WeakMap<object, Taker>();
  private readonly unsent = new WeakMap<ServerResponse, readonly Buffer[]>();

  constructor(private readonly turns: Turns) {}

  /** @param data of the answer, by which it is known again when it is to be written */
  expect(data: object, taker: Taker): void {
    this.takers.set(data, taker);
  }

  /**
   * The text that Apollo would write, or a promise of an empty one where the answer was expected to be large: that is sent by
   * `sendInPieces`. One text of it would be put together, measured and encoded in one go, whatever its length.
   */
  readonly stringify: Stringify = (answer) => {
    const taker = answer.data ? this.takers.get(answer.data) : undefined;
    return taker ? this.inTurn(answer, taker) : `${JSON.stringify(answer)}\n`;
  };

  /** Puts the pieces of a large answer in the place of its empty text. */
  sendInPieces(server: FastifyInstance): void {
    server.addHook('onSend', (_request, reply, payload, done) => {
      const pieces = this.unsent.get(reply.raw);
      if (!pieces) {
        done(null, payload);
        return;
      }
      this.unsent.delete(reply.raw);
      void reply.header(
        'content-length',
        pieces.reduce((sum, { length }) => sum + length, 0),
      );
      done(null, Readable.from(oneByOne(pieces)));
    });
  }

  private async inTurn(answer: Answer, { client, response, gone, written }: Taker): Promise<string> {
    try {
      const pieces: Buffer[] = [];
      const texts = jsonPieces(answer, PIECE_BYTES);
      for (;;) {
        // The room for answers bounds what they hold.
        await this.turns.enter(client, 0, gone);
        const { done, value } = texts.next();
        if (done) break;
        pieces.push(Buffer.from(value));
      }
      pieces.push(Buffer.from('\n'));
      this.unsent.set(response, pieces);
      return '';
    } catch (error) {
      if (gone.aborted) return '';
      throw asGraphql(error);
    } finally {
      written();
    }
  }
}

/** However fast the reader is, who would otherwise be given all of them in one go. */
async function* oneByOne(pieces: readonly Buffer[]): AsyncGenerator<Buffer, void> {
  for (const piece of pieces) {
    yield piece;
    await othersServed();
  }
}
