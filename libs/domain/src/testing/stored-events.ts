import { isDeepStrictEqual } from 'node:util';

/** Event data as stored by one schema version. */
export interface StoredExample {
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
}
/** By event type, in order of version. */
export type StoredEvents = Readonly<Record<string, readonly StoredExample[]>>;

/** Adds examples of new versions; existing ones never change. @throws Error if a schema changed without a new version */
export const storedWith = (
  stored: StoredEvents,
  examples: Readonly<Record<string, object>>,
  versionOf: (type: string) => number,
): StoredEvents => {
  const added = Object.entries(examples).map(([type, example]): [string, readonly StoredExample[]] => {
    const known = stored[type] ?? [];
    const schemaVersion = versionOf(type);
    const data = JSON.parse(JSON.stringify(example)) as StoredExample['data'];
    if (known.length === schemaVersion - 1) return [type, [...known, { schemaVersion, data }]];
    if (known.length !== schemaVersion)
      throw new Error(`${type} is at version ${schemaVersion} but has examples of ${known.length} versions`);
    if (!isDeepStrictEqual(known.at(-1)?.data, data))
      throw new Error(`${type} differs from its stored version ${schemaVersion}: add an upcaster`);
    return [type, known];
  });
  return { ...stored, ...Object.fromEntries(added) };
};

/** Stream names of all deciders that a module exports, for the IDs `one` and `two`. */
export const streamNamesIn = (module: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(module).flatMap(([name, value]) =>
      name.endsWith('Decider') && typeof value === 'object' && value !== null && 'stream' in value
        ? [[name.replace(/Decider$/, ''), (value.stream as (...ids: string[]) => string)('one', 'two')]]
        : [],
    ),
  );

/** Adds the stream names of new deciders. @throws Error if a name changed or is missing */
export const namesWith = (
  stored: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  for (const [decider, name] of Object.entries(stored))
    if (current[decider] !== name) throw new Error(`The streams of ${decider} must still be named ${name}`);
  return { ...stored, ...current };
};
