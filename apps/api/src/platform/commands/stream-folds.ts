import {
  evolveAnswer,
  evolveBookmark,
  evolveMembership,
  evolveQuestion,
  evolveReaction,
  evolveVote,
  initialAnswer,
  initialBookmark,
  initialMembership,
  initialQuestion,
  initialReaction,
  initialVote,
} from '@nimo/domain';
import type { JsonObject, StreamFold } from '@nimo/event-store';

/** With the aggregate's own step, to be known again by whoever asks for a state. */
export interface DomainFold extends StreamFold {
  readonly evolve: unknown;
}

// The event's type is inferred from `evolve`, which folds the events of one aggregate.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- inference needs it
const foldBy = <State, Event>(
  shape: string,
  initial: State,
  evolve: (state: State, event: Event) => State,
): DomainFold => ({
  shape,
  evolve,
  fold: (state, events) =>
    // States are plain JSON, which a test shows, and a stream holds the events of its aggregate alone.
    events.reduce(
      (reached, { type, data }) => evolve(reached, { type, data } as unknown as Event),
      state === undefined ? initial : (state as State),
    ) as unknown as JsonObject | undefined,
});

/**
 * Streams that one student can make long: what is said again and again, or taken back. Their states name nobody but by id.
 * Whoever changes what a step makes of an event changes the number, too: `stream-folds.spec.ts` tells.
 */
const FOLDS: Readonly<Record<string, DomainFold>> = {
  question: foldBy('question 1', initialQuestion, evolveQuestion),
  answer: foldBy('answer 1', initialAnswer, evolveAnswer),
  vote: foldBy('vote 1', initialVote, evolveVote),
  bookmark: foldBy('bookmark 1', initialBookmark, evolveBookmark),
  membership: foldBy('membership 2', initialMembership, evolveMembership),
  reaction: foldBy('reaction 1', initialReaction, evolveReaction),
};

/** By what the stream's name begins with; undefined for all that is read as a whole. */
export const foldOf = (streamId: string): DomainFold | undefined =>
  FOLDS[streamId.slice(0, Math.max(0, streamId.indexOf('-')))];
