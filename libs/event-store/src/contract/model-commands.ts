import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type Append,
  type AppendOutcome,
  type EventStore,
  type ExpectedRevision,
  InvalidAppendError,
  type NewEvent,
} from '../port.js';
import { readPage } from '../read-page.js';
import { newEvent, newStreamId, readFrom } from './event-fixtures.js';
import { Follower } from './follower.js';
import type { LogModel } from './log-model.js';

/** State of one command sequence. */
export class Scenario {
  readonly model: LogModel;
  private readonly streamIds = Array.from({ length: STREAMS }, newStreamId);
  /** Every append attempted. */
  private readonly tried: Append[] = [];

  constructor(model: LogModel) {
    this.model = model;
  }

  streamId(stream: number): string {
    return this.streamIds[stream] ?? newStreamId();
  }

  /** Resolves a plan against the current state. */
  appendOf(plan: AppendPlan): Append {
    const append = this.resolve(plan);
    this.tried.push(append);
    return append;
  }

  private resolve({ stream, expected, events }: AppendPlan): Append {
    const earlier = events.kind === 'new' ? undefined : this.tried.at(-1 - events.back);
    if (events.kind === 'again' && earlier) return earlier;
    const streamId =
      events.kind === 'known' && events.inSameStream && earlier ? earlier.streamId : this.streamId(stream);
    return { streamId, expectedRevision: this.revision(streamId, expected), events: this.events(events) };
  }

  private revision(streamId: string, expected: AppendPlan['expected']): ExpectedRevision {
    if (typeof expected === 'string') return expected;
    const revision = this.model.stream(streamId).length - 1 + expected;
    return revision < 0 ? 'no-stream' : revision;
  }

  private events(events: AppendPlan['events']): NewEvent[] {
    if (events.kind === 'new' || this.tried.length === 0)
      return eventsOf(events.kind === 'new' ? events.count : 1);
    if (events.kind === 'again') return eventsOf(1);
    const known = this.tried.flatMap((append) => append.events).toReversed();
    const run = known.slice(events.back, events.back + events.count);
    const reused = orderedAs(events.order, run.toReversed()).map((event) =>
      events.changesData ? { ...event, data: { n: 'other' } } : event,
    );
    return [...reused, ...eventsOf(reused.length === 0 ? 1 : events.newAfter)];
  }
}

const STREAMS = 3;
const eventsOf = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => newEvent({ n }));

function orderedAs(order: 'as written' | 'reversed' | 'with gaps', events: NewEvent[]): NewEvent[] {
  if (order === 'reversed') return events.toReversed();
  return order === 'with gaps' ? events.filter((_, index) => index % 2 === 0) : events;
}

interface AppendPlan {
  readonly stream: number;
  /** A number is an offset from the stream's current revision. */
  readonly expected: 'any' | 'no-stream' | number;
  readonly events:
    | { readonly kind: 'new'; readonly count: number }
    /** An earlier append, unchanged. */
    | { readonly kind: 'again'; readonly back: number }
    /** Event ids used before, with the same or different content. */
    | {
        readonly kind: 'known';
        readonly back: number;
        readonly count: number;
        readonly inSameStream: boolean;
        readonly order: 'as written' | 'reversed' | 'with gaps';
        readonly changesData: boolean;
        readonly newAfter: number;
      };
}

interface CallPlan {
  readonly process: number;
  readonly appends: readonly AppendPlan[];
}

const appendPlan: fc.Arbitrary<AppendPlan> = fc.record({
  stream: fc.nat(STREAMS - 1),
  expected: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constantFrom<'any' | 'no-stream'>('any', 'no-stream') },
    { weight: 2, arbitrary: fc.integer({ min: -3, max: 2 }) },
  ),
  events: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('new' as const), count: fc.integer({ min: 1, max: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), back: fc.nat(5) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('known' as const),
        back: fc.nat(8),
        count: fc.integer({ min: 1, max: 4 }),
        inSameStream: fc.boolean(),
        order: fc.oneof(
          { weight: 2, arbitrary: fc.constant('as written' as const) },
          fc.constantFrom('reversed' as const, 'with gaps' as const),
        ),
        changesData: fc.boolean(),
        newAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constant(1)),
      }),
    },
  ),
});

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  process: fc.nat(1),
  appends: fc.array(appendPlan, { minLength: 1, maxLength: 3 }),
});

/** One log opened by two processes. */
export type Processes = readonly [EventStore, EventStore];
type Command = fc.AsyncCommand<Scenario, Processes>;

function command(
  name: string,
  plan: object,
  run: (scenario: Scenario, processes: Processes) => Promise<void>,
): Command {
  return { check: () => true, run, toString: () => `${name}${JSON.stringify(plan)}` };
}

/** @throws unless the values are deeply equal */
export function assertEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${JSON.stringify(actual)} should be ${JSON.stringify(expected)}`);
}

/** Makes concurrent calls from independent processes, and checks them against the model. */
async function appendConcurrently(
  { model }: Scenario,
  processes: Processes,
  calls: readonly Call[],
): Promise<void> {
  const attempts = await Promise.all(
    calls.map(async ({ process, appends }) => ({
      appends,
      outcomes: await tryAppend(processes[process], appends),
    })),
  );
  const written = await readFrom(processes[0], model.head, 1_000);
  const completed = attempts.flatMap(({ appends, outcomes }) => (outcomes ? [{ appends, outcomes }] : []));
  model.take(completed, written);
}

interface Call {
  readonly process: 0 | 1;
  readonly appends: readonly Append[];
}

/** Undefined if the call was rejected because it repeats an event id. */
async function tryAppend(
  store: EventStore,
  appends: readonly Append[],
): Promise<AppendOutcome[] | undefined> {
  const ids = appends.flatMap(({ events }) => events.map(({ id }) => id));
  const answer = store.append(appends);
  if (new Set(ids).size === ids.length) return answer;
  const error = await answer.then(
    () => undefined,
    (rejection: unknown) => rejection,
  );
  if (error instanceof InvalidAppendError) return undefined;
  throw new Error(`a repeated event id led to ${String(error)}`);
}

const callsOf = (scenario: Scenario, plans: readonly CallPlan[]): Call[] =>
  plans.map(({ process, appends }) => ({
    process: process === 0 ? 0 : 1,
    // All resolved against the same state.
    appends: appends.map((plan) => scenario.appendOf(plan)),
  }));

const appending = (plans: readonly CallPlan[]): Command =>
  command('append', plans, (scenario, processes) =>
    appendConcurrently(scenario, processes, callsOf(scenario, plans)),
  );

/** More appends than a store writes in one group. */
const appendingMany = (plan: { readonly count: number; readonly streams: number }): Command =>
  command('appendMany', plan, async (scenario, processes) => {
    const streamIds = Array.from({ length: plan.streams }, newStreamId);
    const appends = Array.from({ length: plan.count }, (_, index): Append => ({
      streamId: streamIds[index % plan.streams] ?? '',
      expectedRevision: 'any',
      events: eventsOf(1 + (index % 2)),
    }));
    const half = Math.floor(plan.count / 2);
    const calls: Call[] = [
      { process: 0, appends: appends.slice(0, half) },
      { process: 1, appends: appends.slice(half) },
    ];
    await appendConcurrently(scenario, processes, calls);
  });

const readingStream = (plan: {
  readonly stream: number;
  readonly fromRevision: number;
  readonly limit: number | null;
}): Command =>
  command('readStream', plan, async (scenario, [store]) => {
    const { fromRevision, limit } = plan;
    const streamId = scenario.streamId(plan.stream);
    const rest = scenario.model.stream(streamId).slice(fromRevision);
    const read = await store.readStream(streamId, { fromRevision, ...(limit !== null && { limit }) });
    assertEqual(read, rest.slice(0, limit ?? rest.length));
  });

const readingStreams = (plan: { readonly from: readonly (number | null)[] }): Command =>
  command('readStreams', plan, async (scenario, [store]) => {
    const streamIds = plan.from.map((_, stream) => scenario.streamId(stream));
    const from = new Map(
      plan.from.flatMap((revision, stream) =>
        revision === null ? [] : [[streamIds[stream] ?? '', revision] as const],
      ),
    );
    const read = await store.readStreams(streamIds, from);
    const expected = streamIds.map((id) => [id, scenario.model.stream(id).slice(from.get(id) ?? 0)]);
    assertEqual([...read], expected);
  });

const readingAll = (plan: {
  readonly after: number;
  readonly until: number | null;
  readonly limit: number;
}): Command =>
  command('readAll', plan, async ({ model }, [store]) => {
    const { position: after, rest } = model.place(plan.after);
    const until = plan.until === null ? undefined : model.place(plan.until).position;
    const { limit } = plan;
    const read = await store.readAll({
      limit,
      ...(after !== undefined && { after }),
      ...(until !== undefined && { until }),
    });
    assertEqual(
      read,
      rest.filter(({ position }) => until === undefined || position <= until).slice(0, limit),
    );
  });

const readingPages = (plan: {
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number | null;
}): Command =>
  command('pages', plan, async ({ model }, [store]) => {
    const { position: after, rest } = model.place(plan.after);
    const { limit, maxBytes } = plan;
    const events = maxBytes === null ? await readFrom(store, after, limit) : [];
    for (let last = after; maxBytes !== null; last = events.at(-1)?.position ?? last) {
      const page = await readPage(store, { limit, maxBytes, ...(last !== undefined && { after: last }) });
      events.push(...page.events);
      if (page.isLast) break;
    }
    assertEqual(events, rest);
  });

const counting = (plan: { readonly after: number; readonly atMost: number }): Command =>
  command('countAfter', plan, async ({ model }, [store]) => {
    const { position, rest } = model.place(plan.after);
    assertEqual(await store.countAfter(position, plan.atMost), Math.min(rest.length, plan.atMost));
  });

const readingHead = (): Command =>
  command('head', {}, async ({ model }, [, store]) => assertEqual(await store.head(), model.head));

/** Appends while a subscription is running. */
const subscribing = (plan: {
  readonly after: number;
  readonly batchSize: number;
  readonly calls: readonly CallPlan[];
}): Command =>
  command('subscribe', plan, async (scenario, processes) => {
    const { position } = scenario.model.place(plan.after);
    const first = scenario.model.log.findIndex((event) => event.position > (position ?? ''));
    const from = first === -1 ? scenario.model.log.length : first;
    await following(processes[1], { after: position, batchSize: plan.batchSize }, async (follower) => {
      await appendConcurrently(scenario, processes, callsOf(scenario, plan.calls));
      const expected = scenario.model.log.slice(from);
      const last = expected.at(-1);
      if (last) await follower.reach(last.position);
      assertEqual(follower.seen, expected);
    });
  });

/** Subscribes after a position beyond the head, as when a log was restored from an older backup. */
const subscribingBeyondHead = (plan: { readonly by: number; readonly batchSize: number }): Command =>
  command('subscribeBeyondHead', plan, async (scenario, processes) => {
    const { head } = scenario.model;
    // The position format belongs to the store, so it is derived from an existing one.
    if (head === undefined) return;
    const after = head.replace(/\d+/g, (digits) =>
      String(BigInt(digits) + BigInt(plan.by)).padStart(digits.length, '0'),
    );
    assertEqual(
      [await processes[0].readAll({ after, limit: 9 }), await processes[0].countAfter(after, 9)],
      [[], 0],
    );
    await following(processes[1], { after, batchSize: plan.batchSize }, async (follower) => {
      const append: Append = {
        streamId: newStreamId(),
        expectedRevision: 'no-stream',
        events: eventsOf(plan.by + 1),
      };
      await appendConcurrently(scenario, processes, [{ process: 0, appends: [append] }]);
      await follower.reach(scenario.model.head ?? '');
      assertEqual(
        follower.seen,
        scenario.model.log.filter(({ position }) => position > after),
      );
    });
  });

async function following(
  store: EventStore,
  { after, batchSize }: { readonly after: string | undefined; readonly batchSize: number },
  meanwhile: (follower: Follower) => Promise<void>,
): Promise<void> {
  const follower = new Follower(store, after, batchSize);
  try {
    await meanwhile(follower);
  } finally {
    await follower.stop();
  }
}

const place = fc.nat(40);
const batchSize = fc.constantFrom(500, 1, 2, 7);
const calls = fc.array(callPlan, { minLength: 1, maxLength: 3 });
const single = fc.array(callPlan, { minLength: 1, maxLength: 1 });

/** Random command sequences of two processes on one log. */
export const commandSequences = fc.commands<Scenario, Processes, false>(
  [
    fc.oneof(
      { weight: 60, arbitrary: single.map(appending) },
      { weight: 30, arbitrary: calls.map(appending) },
      {
        weight: 1,
        arbitrary: fc
          .record({ count: fc.integer({ min: 60, max: 140 }), streams: fc.integer({ min: 30, max: 140 }) })
          .map(appendingMany),
      },
      {
        weight: 10,
        arbitrary: fc
          .record({ stream: fc.nat(STREAMS), fromRevision: fc.nat(9), limit: fc.option(fc.nat(6)) })
          .map(readingStream),
      },
      {
        weight: 8,
        arbitrary: fc
          .record({ from: fc.array(fc.option(fc.nat(6)), { maxLength: STREAMS + 1 }) })
          .map(readingStreams),
      },
      {
        weight: 10,
        arbitrary: fc.record({ after: place, until: fc.option(place), limit: fc.nat(12) }).map(readingAll),
      },
      {
        weight: 8,
        arbitrary: fc
          .record({
            after: place,
            limit: fc.integer({ min: 1, max: 5 }),
            maxBytes: fc.option(fc.integer({ min: 1, max: 2_000 })),
          })
          .map(readingPages),
      },
      { weight: 6, arbitrary: fc.record({ after: place, atMost: fc.nat(12) }).map(counting) },
      { weight: 5, arbitrary: fc.constant(readingHead()) },
      { weight: 8, arbitrary: fc.record({ after: place, batchSize, calls: single }).map(subscribing) },
      {
        weight: 2,
        arbitrary: fc.record({ by: fc.integer({ min: 1, max: 4 }), batchSize }).map(subscribingBeyondHead),
      },
    ),
  ],
  { maxCommands: 16, size: 'max' },
);
export const followerBatchSize = batchSize;
