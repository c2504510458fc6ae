import { describe, expect, it } from '@jest/globals';
import { namesWith, storedWith, streamNamesIn } from './stored-events.js';

const first = { schemaVersion: 1, data: { spaceId: 's' } };
const stored = { SpaceJoined: [first] };
const example = { spaceId: 's', by: 'self' };

describe('storedWith', () => {
  it('adds a type, and leaves what is there', () =>
    expect(storedWith(stored, { SpaceJoined: first.data, SpaceLeft: example }, () => 1)).toEqual({
      ...stored,
      SpaceLeft: [{ schemaVersion: 1, data: example }],
    }));
  it('adds a version, and leaves those before it', () =>
    expect(storedWith(stored, { SpaceJoined: example }, () => 2)).toEqual({
      SpaceJoined: [first, { schemaVersion: 2, data: example }],
    }));
  it('changes nothing where nothing is new', () =>
    expect(storedWith(stored, { SpaceJoined: first.data }, () => 1)).toEqual(stored));
  it('refuses another shape of a version that was written', () =>
    expect(() => storedWith(stored, { SpaceJoined: example }, () => 1)).toThrow('SpaceJoined'));
  it.each([0, 3])('refuses version %d after one that is not the one before', (version) =>
    expect(() => storedWith(stored, { SpaceJoined: example }, () => version)).toThrow('SpaceJoined'),
  );
});

describe('the names of streams', () => {
  const deciders = {
    voteDecider: { stream: (post: string, voter: string) => `vote-${post}-${voter}` },
    limit: 3,
  };
  it('are those of the deciders', () => expect(streamNamesIn(deciders)).toEqual({ vote: 'vote-one-two' }));
  it('are only added to', () =>
    expect(namesWith({ vote: 'v' }, { vote: 'v', note: 'n' })).toEqual({ vote: 'v', note: 'n' }));
  it.each([{ vote: 'w' }, {}])('are not changed to %j', (current) =>
    expect(() => namesWith({ vote: 'v' }, current)).toThrow('vote'),
  );
});
