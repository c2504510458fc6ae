import { entryOf, type DomainEvent, type KeyKind } from '@nimo/domain';

/** What becomes of events once keys of students are gone, as the codec of the product has it; see `PersonalDataCodec`. */
export class DestroyedKeys {
  private readonly destroyed = new Set<string>();

  destroy(kind: KeyKind, id: string): void {
    this.destroyed.add(`${kind} ${id}`);
  }

  /** As it is read from then on, or written. */
  emptied<E extends Pick<DomainEvent, 'type' | 'data'>>(event: E): E {
    const data = event.data as Readonly<Record<string, unknown>>;
    const gone = (entryOf(event.type)?.sealed ?? [])
      .filter((sealed) => this.destroyed.has(`${sealed.with} ${String(data[sealed.of])}`))
      .flatMap((sealed) => Object.entries(sealed.gone))
      // What was null or not there was never sealed.
      .filter(([field]) => data[field] !== null && data[field] !== undefined);
    return gone.length === 0
      ? event
      : { ...event, data: { ...data, ...Object.fromEntries(gone) } as E['data'] };
  }
}
