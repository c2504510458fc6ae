import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { EVENT_TYPES, VOCABULARY } from './events.js';
import type { StoredEvents } from './testing/stored-events.js';
import { currentSchemaVersion, upcast, UPCASTERS, type UpcasterRegistry } from './upcasters.js';

/** Every schema version ever written. Only add entries, with `npm run stored-events`: logs still contain the old versions. */
const STORED = JSON.parse(
  readFileSync(new URL('./testing/stored-events.json', import.meta.url), 'utf8'),
) as StoredEvents;

describe('stored events', () => {
  it('cover exactly the known event types', () =>
    expect(Object.keys(STORED).sort()).toEqual([...EVENT_TYPES].sort()));

  describe.each(EVENT_TYPES)('%s', (type) => {
    const examples = STORED[type] ?? [];
    it('has an example of every version', () =>
      expect(examples.map(({ schemaVersion }) => schemaVersion)).toEqual(
        Array.from({ length: currentSchemaVersion(type) }, (_, index) => index + 1),
      ));
    it('keeps its schema or raises its version', () =>
      expect(examples.at(-1)?.data).toEqual(JSON.parse(JSON.stringify(VOCABULARY[type].example))));
    it('is upcast from every version to the current one', () => {
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

  it('applies every upcaster from the stored version on', () => {
    expect(upcast('SpaceJoined', 1, { spaceId: 's' }, registry)).toEqual({ spaceId: 's', by: 'self' });
    expect(upcast('SpaceJoined', 2, { spaceId: 's', invited: true }, registry)).toEqual({
      spaceId: 's',
      by: 'other',
    });
    expect(upcast('SpaceJoined', 3, { spaceId: 's', by: 'x' }, registry)).toEqual({ spaceId: 's', by: 'x' });
    expect(currentSchemaVersion('SpaceJoined', registry)).toBe(3);
  });
  it('returns the data of a type without upcasters unchanged', () => {
    const data = { spaceId: 's' };
    expect(upcast('SpaceLeft', 1, data, UPCASTERS)).toBe(data);
  });
  it.each([0, 2, 1.5, NaN])('refuses version %d of a type at version 1', (version) =>
    expect(() => upcast('SpaceLeft', version, {}, UPCASTERS)).toThrow('SpaceLeft'),
  );
});
