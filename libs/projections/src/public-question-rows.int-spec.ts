import { expect, it } from '@jest/globals';
import { UnchangedReads } from '@nimo/projection-engine';
import { openReadSide } from './testing/read-side.fixture.js';
import { chaoticHistory } from './testing/chaotic-history.fixture.js';
import { type PublicQuestionResult, readPublicQuestion } from './questions/public-question.queries.js';
import {
  mayChangePublicQuestion,
  PUBLIC_PAGE_EVENTS,
  PUBLIC_PAGE_PROJECTIONS,
} from './public-question-rows.js';

const STEPS = 40;

/** Everything except the space's member count, which no page shows. */
const shownOf = (read: PublicQuestionResult | null): string =>
  JSON.stringify(read?.view ?? null, (key, value: unknown) => (key === 'memberCount' ? undefined : value));

const isReportedUnchanged = async (
  reads: UnchangedReads,
  { places, rows }: PublicQuestionResult,
): Promise<boolean> =>
  (await reads.since(places, (event) => mayChangePublicQuestion(rows, event))) !== undefined;

it.each([21, 23])(
  'reports a public page as unchanged only if a new read returns the same, throughout history %i',
  async (seed) => {
    const past = chaoticHistory(seed, 350);
    const asked = past.events.flatMap(({ type, data }) => (type === 'QuestionAsked' ? data.questionId : []));
    const side = await openReadSide();
    try {
      const reads = new UnchangedReads({
        ...{ pool: side.pool, store: side.store },
        ...{ names: PUBLIC_PAGE_PROJECTIONS, types: PUBLIC_PAGE_EVENTS },
        onError: (error) => {
          throw error;
        },
      });
      const kept = new Map<string, PublicQuestionResult>();
      const reported = { unchanged: 0, changed: 0 };
      for (let step = 1; step <= STEPS; step += 1) {
        await side.record(past, Math.ceil((step / STEPS) * past.events.length));
        for (const questionId of asked) {
          const query = { questionId, limit: 3, bodyBytes: 2_000 };
          const now = await readPublicQuestion(side.pool, query);
          const before = kept.get(questionId);
          const isUnchanged = before && (await isReportedUnchanged(reads, before));
          if (before) reported[isUnchanged ? 'unchanged' : 'changed'] += 1;
          if (before && isUnchanged) expect(shownOf(now)).toBe(shownOf(before));
          if (now) kept.set(questionId, now);
          else kept.delete(questionId);
        }
      }
      expect(reported.unchanged).toBeGreaterThan(20);
      expect(reported.changed).toBeGreaterThan(20);
    } finally {
      await side.close();
    }
  },
);
