import type { EventStore } from '@nimo/event-store';
import { isNothing, sealedGroupsOf } from '../../platform/personal-data/sealed-fields.js';
import { isSealedText } from '../../platform/personal-data/sealed-value.js';

/** How many events of a stream hold words that were written before words were sealed: no key takes them back. @param log as it is stored */
export async function clearWordsIn(log: EventStore, streamId: string): Promise<number> {
  const events = await log.readStream(streamId);
  return events.filter(({ type, data }) =>
    sealedGroupsOf(type).some(
      ({ kind, fields }) =>
        kind === 'words' &&
        fields.some((field) => {
          const value = data[field.name] ?? null;
          return !isSealedText(value) && !isNothing(value, field);
        }),
    ),
  ).length;
}
