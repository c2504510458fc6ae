import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { aggregate, fold } from './decider.js';
import * as domain from './index.js';
import { answerPosted } from './testing/builders.js';
import { streamNamesIn } from './testing/stored-events.js';

const { answerDecider, STREAM_PREFIXES, voteDecider } = domain;

describe('aggregate', () => {
  it('uses the stream of its ID', () => {
    expect(aggregate(voteDecider, 'p', 's').streamId).toBe('vote-p-s');
    expect(aggregate(domain.avatarsDecider).streamId).toBe('avatars');
  });

  it('folds events into the previous state', () => {
    const posted = answerPosted();
    const { answerId, spaceId, questionId, authorId } = posted.data;
    const data = { answerId, spaceId, questionId, authorId, reason: null };
    expect(fold(answerDecider, [])).toBeUndefined();
    expect(fold(answerDecider, [posted])).toMatchObject({ deleted: false });
    expect(fold(answerDecider, [{ type: 'AnswerDeleted', data }])).toBeUndefined();
    expect(fold(answerDecider, [{ type: 'AnswerDeleted', data }], fold(answerDecider, [posted]))).toEqual({
      ...posted.data,
      deleted: true,
    });
  });
});

describe('stream names', () => {
  const stored = JSON.parse(
    readFileSync(new URL('./testing/stored-streams.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, string>>;

  // A renamed stream would lose its earlier events.
  it('never change; `npm run stored-events` adds new ones', () =>
    expect(streamNamesIn(domain)).toEqual(stored));

  it('start with a prefix of their slice', () => {
    // Claim streams start with the kind of the claim.
    const names = Object.values({ ...stored, claim: aggregate(domain.claimDecider, 'phone', 'x').streamId });
    expect(names.filter((name) => !STREAM_PREFIXES.some((prefix) => name.startsWith(prefix)))).toEqual([]);
  });
});
