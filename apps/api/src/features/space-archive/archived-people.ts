import { fold, studentDecider, type EventMetadata, type StudentEvent } from '@nimo/domain';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { ArchivedPerson } from './archive-format.js';

const AT_ONCE = 100;

/** Those of them whom the log knows, as they are now, by their ids. */
export async function* archivedPeople(
  store: EventStore,
  ids: ReadonlySet<string>,
): AsyncGenerator<ArchivedPerson> {
  const sorted = [...ids].sort();
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    const some = sorted.slice(from, from + AT_ONCE);
    const streams = await store.readStreams(some.map((id) => studentDecider.stream(id)));
    for (const id of some) {
      const person = archivedPerson(id, streams.get(studentDecider.stream(id)) ?? []);
      if (person) yield person;
    }
  }
}

function archivedPerson(id: string, stream: readonly RecordedEvent[]): ArchivedPerson | undefined {
  const [first] = stream;
  if (!first) return undefined;
  // The command runner wrote them: the metadata of every event, and events of students in the streams of students.
  const { occurredAt: at } = first.metadata as unknown as EventMetadata;
  const student = fold(studentDecider, stream as unknown as readonly StudentEvent[]);
  const { standIn = false, profile } = student ?? {};
  if (!profile || student?.erased) {
    const erased = stream.findLast(({ type }) => type === 'StudentErased');
    return { id, at, erased: true, standIn, withWords: erased?.data['withWords'] === true };
  }
  return { id, at, erased: false, standIn, ...profile };
}
