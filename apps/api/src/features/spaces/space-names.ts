import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type EventOf, spaceNameKey } from '@nimo/domain';
import type { EventStore, Position } from '@nimo/event-store';
import { type LivePositions, livePositionsSql } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { ExclusiveWork } from '../../platform/database/exclusive-work.js';

const LOCK = 'nimo space names';
const PAGE_SIZE = 1_000;

interface Naming {
  readonly spaceId: string;
  readonly name: string;
  /** Whether the space is to be created. A repeated command finds that it exists. */
  readonly isNew: boolean;
}

interface LogSource {
  readonly pool: Pick<Pool, 'query'>;
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
}

/** Keeps names of spaces unique. Spaces are few and rarely named, so one lock across all processes is enough. */
@Injectable()
export class SpaceNames {
  private readonly exclusive: ExclusiveWork;

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    this.exclusive = new ExclusiveWork(pool);
  }

  /**
   * Runs `work`, which gives the name to the space, while nobody else can name a space. A space keeps its own name, even if
   * another one has had it since before names were unique.
   * @throws DomainError SPACE_NAME_TAKEN
   */
  whileFree<Result>(naming: Naming, work: () => Promise<Result>): Promise<Result> {
    return this.exclusive.run(LOCK, async () => {
      await this.assertFree(naming);
      return work();
    });
  }

  private async assertFree({ spaceId, name, isNew }: Naming): Promise<void> {
    const names = await readSpaceNames({ pool: this.pool, store: this.store });
    const own = names.get(spaceId);
    if (own !== undefined && (isNew || spaceNameKey(own) === spaceNameKey(name))) return;
    if (isNameTaken(names, name, spaceId)) throw new DomainError('SPACE_NAME_TAKEN');
  }
}

/** @param except the space that asks for the name */
export function isNameTaken(names: ReadonlyMap<string, string>, name: string, except: string): boolean {
  const key = spaceNameKey(name);
  return Array.from(names).some(([spaceId, other]) => spaceId !== except && spaceNameKey(other) === key);
}

/** Current names by space ID: those of the read model and, because it may lag, of the events after its checkpoint. */
export async function readSpaceNames({ pool, store }: LogSource): Promise<ReadonlyMap<string, string>> {
  const until = await store.head();
  const { rows } = await pool.query<{ live: LivePositions | null; names: Record<string, string> | null }>(
    `select ${livePositionsSql(['spaces'])} as live,
       (select json_object_agg(space_id, name) from read.spaces) as names`,
  );
  const [row] = rows;
  const names = new Map(Object.entries(row?.names ?? {}));
  let after: Position | undefined = row?.live?.['spaces']?.position;
  while (until !== undefined) {
    const page = await store.readAll({ ...(after && { after }), until, limit: PAGE_SIZE });
    for (const { type, data } of page) {
      const { spaceId, name } = data as EventOf<'SpaceCreated'>['data'];
      if (type === 'SpaceCreated' || type === 'SpaceChanged') names.set(spaceId, name);
      else if (type === 'SpaceRemoved') names.delete(spaceId);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.position;
  }
  return names;
}
