import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { isNameTaken, readSpaceNames } from './space-names.js';

const append = (store: InMemoryEventStore, type: string, spaceId: string, name: string) =>
  store.append([
    {
      streamId: `space-${spaceId}`,
      expectedRevision: 'any',
      events: [{ id: randomUUID(), type, data: { spaceId, name }, metadata: {} }],
    },
  ]);
/** A read model with these names, which has passed a position. */
const poolWith = (names: Record<string, string>, position: string) =>
  ({ query: () => ({ rows: [{ live: { spaces: { position } }, names }] }) }) as unknown as Pool;

describe('readSpaceNames', () => {
  it('adds what the read model has not passed yet', async () => {
    const store = new InMemoryEventStore();
    await append(store, 'SpaceCreated', 'a', 'French');
    await append(store, 'SpaceCreated', 'b', 'Latin');
    const position = (await store.head()) ?? '';
    await append(store, 'SpaceChanged', 'a', 'Français');
    await append(store, 'SpaceRemoved', 'b', 'Latin');
    await append(store, 'SpaceCreated', 'c', 'Greek');
    const names = await readSpaceNames({ pool: poolWith({ a: 'French', b: 'Latin' }, position), store });
    expect(Object.fromEntries(names)).toEqual({ a: 'Français', c: 'Greek' });
  });

  it('reads the whole log before the read model exists', async () => {
    const store = new InMemoryEventStore();
    await append(store, 'SpaceCreated', 'a', 'French');
    expect(Object.fromEntries(await readSpaceNames({ pool: poolWith({}, ''), store }))).toEqual({
      a: 'French',
    });
  });
});

describe('isNameTaken', () => {
  const names = new Map([['a', 'École 2']]);
  it.each([
    ['école 2', true],
    [' ÉCOLE  2 ', true],
    ['E\u0301cole\u00a02', true],
    ['É\u200bcole ２', true],
    ['École 3', false],
  ])('compares %j as a reader does: %s', (name, isTaken) =>
    expect(isNameTaken(names, name, 'b')).toBe(isTaken),
  );
  it('ignores the space that asks', () => expect(isNameTaken(names, 'École 2', 'a')).toBe(false));
});
