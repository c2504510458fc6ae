import type { ApolloServerOptions } from '@apollo/server';
import { Injectable } from '@nestjs/common';
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
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  /** Called once it is written, or never will be. */
  readonly written: () => void;
}

/** Answers of many megabytes are written a piece at a time, and others are served between the pieces. */
@Injectable()
export class LargeAnswers {
  private readonly takers = new WeakMap<object, Taker>();

  constructor(private readonly turns: Turns) {}

  /** @param data of the answer, by which it is known again when it is to be written */
  expect(data: object, taker: Taker): void {
    this.takers.set(data, taker);
  }

  /** The same text for every answer as Apollo would write at once; a promise of it where the answer was expected to be large. */
  readonly stringify: Stringify = (answer) => {
    const taker = answer.data ? this.takers.get(answer.data) : undefined;
    return taker ? this.inTurn(answer, taker) : `${JSON.stringify(answer)}\n`;
  };

  private async inTurn(answer: Answer, { client, gone, written }: Taker): Promise<string> {
    try {
      let text = '';
      const pieces = jsonPieces(answer, PIECE_BYTES);
      // The last turn is for whoever sends it, which copies the whole.
      for (;;) {
        // The room for answers bounds what they hold.
        await this.turns.enter(client, 0, gone);
        const { done, value } = pieces.next();
        if (done) return `${text}\n`;
        text += value;
      }
    } catch (error) {
      if (gone.aborted) return '';
      throw asGraphql(error);
    } finally {
      written();
    }
  }
}
