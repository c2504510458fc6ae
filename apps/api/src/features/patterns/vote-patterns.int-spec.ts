import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_CASE_EFFECTS_SHOWN } from '@nimo/domain';
import { type InvalidationEffect, projections } from '@nimo/projections';
import { prepareProjections } from '@nimo/projection-engine';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { effectForDisplay } from './vote-patterns.js';

const EFFECT_COUNT = MAX_CASE_EFFECTS_SHOWN + 50;
const standing = { reputations: 0, commitments: 0, score: 0, rank: null };

describe('the effect of a very large case', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await prepareProjections(database.pool(), new InMemoryEventStore(), projections);
  });
  afterAll(() => database.drop());

  it('shows the largest changes, with total counts and all spaces', async () => {
    const whole: InvalidationEffect = {
      students: Array.from({ length: EFFECT_COUNT }, () => ({
        spaceId: randomUUID(),
        studentId: randomUUID(),
        votesGiven: 1,
        votesReceived: 0,
        before: standing,
        after: standing,
      })),
      posts: Array.from({ length: EFFECT_COUNT }, (_, upvotes) => ({
        postId: randomUUID(),
        postType: 'QUESTION',
        questionId: randomUUID(),
        before: { upvotes, downvotes: 0 },
        after: { upvotes: 0, downvotes: 0 },
      })),
    };
    const shown = await effectForDisplay(database.pool(), whole);
    expect(shown.students.map(({ student }) => student._id)).toEqual(
      whole.students.slice(0, MAX_CASE_EFFECTS_SHOWN).map(({ studentId }) => studentId),
    );
    expect(shown.posts).toHaveLength(MAX_CASE_EFFECTS_SHOWN);
    expect(shown.posts[0]?.before.upvotes).toBe(EFFECT_COUNT - 1);
    expect(shown).toMatchObject({ studentCount: EFFECT_COUNT, postCount: EFFECT_COUNT });
    expect(shown.spaceIds).toHaveLength(EFFECT_COUNT);
  });
});
