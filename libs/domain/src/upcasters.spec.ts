import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { EVENT_TYPES, VOCABULARY } from './events.js';
import type { StoredEvents } from './testing/stored-events.js';
import { currentSchemaVersion, upcast, UPCASTERS, type UpcasterRegistry } from './upcasters.js';

/**
 * Every shape that was ever written, as it lies in a log. Lines are only added: one that is changed would hide
 * that events of the old shape exist. `npm run stored-events` adds them.
 */
const STORED = JSON.parse(
  readFileSync(new URL('./testing/stored-events.json', import.meta.url), 'utf8'),
) as StoredEvents;

describe('stored events', () => {
  it('are known for every type and none besides', () =>
    expect(Object.keys(STORED).sort()).toEqual([...EVENT_TYPES].sort()));

  describe.each(EVENT_TYPES)('%s', (type) => {
    const examples = STORED[type] ?? [];
    it('has one example of each version up to the current', () =>
      expect(examples.map(({ schemaVersion }) => schemaVersion)).toEqual(
        Array.from({ length: currentSchemaVersion(type) }, (_, index) => index + 1),
      ));
    it('keeps its shape, or raises its version', () =>
      expect(examples.at(-1)?.data).toEqual(JSON.parse(JSON.stringify(VOCABULARY[type].example))));
    it('is lifted from each version to the current shape', () => {
      const fields = Object.keys(VOCABULARY[type].example).sort();
      for (const { schemaVersion, data } of examples) {
        expect(Object.keys(upcast(type, schemaVersion, data)).sort()).toEqual(fields);
      }
    });
  });
});

describe('upcast', () => {
  const registry: UpcasterRegistry = {
    SpaceJoined: [
      (data) => ({ ...data, invited: false }),
      ({ invited, ...data }) => ({ ...data, by: invited ? 'other' : 'self' }),
    ],
  };

  it('lifts step by step from any version', () => {
    expect(upcast('SpaceJoined', 1, { spaceId: 's' }, registry)).toEqual({ spaceId: 's', by: 'self' });
    expect(upcast('SpaceJoined', 2, { spaceId: 's', invited: true }, registry)).toEqual({
      spaceId: 's',
      by: 'other',
    });
    expect(upcast('SpaceJoined', 3, { spaceId: 's', by: 'x' }, registry)).toEqual({ spaceId: 's', by: 'x' });
    expect(currentSchemaVersion('SpaceJoined', registry)).toBe(3);
  });
  it('leaves a type without upcasters as it is', () => {
    const data = { spaceId: 's' };
    expect(upcast('SpaceLeft', 1, data, UPCASTERS)).toBe(data);
  });
  it.each([0, 2, 1.5, NaN])('refuses version %d of a type at version 1', (version) =>
    expect(() => upcast('SpaceLeft', version, {}, UPCASTERS)).toThrow('SpaceLeft'),
  );
});
