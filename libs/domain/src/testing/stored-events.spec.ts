import { describe, expect, it } from '@jest/globals';
import { namesWith, storedWith, streamNamesIn } from './stored-events.js';

const first = { schemaVersion: 1, data: { spaceId: 's' } };
const stored = { SpaceJoined: [first] };
const example = { spaceId: 's', by: 'self' };

describe('storedWith', () => {
  it('adds a type and keeps the others', () =>
    expect(storedWith(stored, { SpaceJoined: first.data, SpaceLeft: example }, () => 1)).toEqual({
      ...stored,
      SpaceLeft: [{ schemaVersion: 1, data: example }],
    }));
  it('adds a version and keeps the earlier ones', () =>
    expect(storedWith(stored, { SpaceJoined: example }, () => 2)).toEqual({
      SpaceJoined: [first, { schemaVersion: 2, data: example }],
    }));
  it('changes nothing without new versions', () =>
    expect(storedWith(stored, { SpaceJoined: first.data }, () => 1)).toEqual(stored));
  it('rejects a changed schema of a stored version', () =>
    expect(() => storedWith(stored, { SpaceJoined: example }, () => 1)).toThrow('SpaceJoined'));
  it.each([0, 3])('rejects version %d as the successor of version 1', (version) =>
    expect(() => storedWith(stored, { SpaceJoined: example }, () => version)).toThrow('SpaceJoined'),
  );
});

describe('stream names', () => {
  const deciders = {
    voteDecider: { stream: (post: string, voter: string) => `vote-${post}-${voter}` },
    limit: 3,
  };
  it('come from the deciders', () => expect(streamNamesIn(deciders)).toEqual({ vote: 'vote-one-two' }));
  it('can be added', () =>
    expect(namesWith({ vote: 'v' }, { vote: 'v', note: 'n' })).toEqual({ vote: 'v', note: 'n' }));
  it.each([{ vote: 'w' }, {}])('cannot change to %j', (current) =>
    expect(() => namesWith({ vote: 'v' }, current)).toThrow('vote'),
  );
});
