import { describe, it } from '@jest/globals';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { triageDecider, triagePattern, type TriagePattern } from './triage.decide.js';
import type { VotePatternTriaged } from './triage.events.js';

const spaceId = newId();
const actor = newModerator(spaceId);
const pattern = {
  patternId: 'ring-0123456789abcdef',
  kind: 'RING',
  voteCount: 24,
  studentIds: [newId(), newId(), newId()],
} as const;
const seen = { revision: 0, voteCount: 24 };
const triaged: VotePatternTriaged = {
  type: 'VotePatternTriaged',
  data: { ...pattern, spaceId, verdict: 'WATCHED', moderatorId: actor.studentId },
};
const triaging = (changes: Partial<TriagePattern> = {}, ...past: readonly VotePatternTriaged[]) =>
  given(triageDecider, ...past).when((state) =>
    triagePattern({ actor, spaceId, pattern, verdict: 'WATCHED', seen, ...changes }, state),
  );

describe('triagePattern', () => {
  it('records the verdict, the number of votes and the accounts', () => triaging().then(triaged));
  it('can be changed by a moderator who saw the latest verdict', () =>
    triaging({ verdict: 'HARMLESS', seen: { revision: 1, voteCount: 24 } }, triaged).then({
      ...triaged,
      data: { ...triaged.data, verdict: 'HARMLESS' },
    }));
  it('refuses the second of two concurrent verdicts', () =>
    triaging({}, triaged).thenRefused('PATTERN_TRIAGED'));
  it('refuses votes that were not shown', () =>
    triaging({ seen: { revision: 0, voteCount: 23 } }).thenRefused('PATTERN_CHANGED'));
  it('requires a moderator of the space who is not part of the pattern', () => {
    for (const other of [newActor(), newMaintainer(), newModerator(newId())])
      triaging({ actor: other }).thenRefused('FORBIDDEN');
    const studentIds = [...pattern.studentIds, actor.studentId];
    triaging({ pattern: { ...pattern, studentIds } }).thenRefused('OWN_VOTES_CASE');
  });
});
