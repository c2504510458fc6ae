import type { Queryable } from '../../queryable.js';
import { FollowedIndex } from './followed-index.js';
import { Ids } from './ids.js';
import type { InvertedIndex } from './inverted-index.js';
import { nameSource, postSource } from './sources.js';

const SOURCES = {
  QUESTION: postSource('QUESTION'),
  ANSWER: postSource('ANSWER'),
  TOPIC: nameSource('TOPIC'),
  PERSON: nameSource('PERSON'),
} as const;

export type IndexKind = keyof typeof SOURCES;
const KINDS = Object.keys(SOURCES) as IndexKind[];

/** The indexes of one space. */
interface Space {
  readonly ids: Ids;
  readonly indexes: Map<IndexKind, FollowedIndex<never>>;
}

const newSpace = (): Space => ({ ids: new Ids(), indexes: new Map() });

/** Documents in all indexes together: some 400 MB. Beyond that, Typesense is the engine to use. */
const MAX_DOCUMENTS = 1_000_000;

/** The indexes of the spaces that were searched lately; the others' are made anew by the next search. */
export class SpaceIndexes {
  /** The one searched last is the last. */
  private readonly spaces = new Map<string, Space>();

  constructor(
    private readonly db: Queryable,
    private readonly most = MAX_DOCUMENTS,
  ) {}

  async current(kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.delete(spaceId);
    this.spaces.set(spaceId, space);
    const current = await this.catchUp(space, kind, spaceId);
    this.forgetOldest();
    return current;
  }

  has(spaceId: string): boolean {
    return this.spaces.has(spaceId);
  }

  hasRoomFor(documents: number): boolean {
    return this.weight() + documents <= this.most;
  }

  /** So that the next search of the space finds its indexes there; that does not count as a search. */
  async warm(spaceId: string): Promise<void> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.set(spaceId, space);
    for (const kind of KINDS) await this.catchUp(space, kind, spaceId);
    this.forgetOldest();
  }

  private catchUp(space: Space, kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    // Each kind's rows are read and taken by the same source.
    const { ids, indexes } = space;
    const index =
      indexes.get(kind) ?? new FollowedIndex<never>({ source: SOURCES[kind] as never, spaceId, ids });
    indexes.set(kind, index);
    return index.current(this.db);
  }

  private weight(): number {
    return [...this.spaces.values()].reduce((sum, space) => sum + weightOf(space), 0);
  }

  /** A space that is too large for all others stays alone. */
  private forgetOldest(): void {
    let documents = this.weight();
    for (const [spaceId, space] of this.spaces) {
      if (documents <= this.most || this.spaces.size === 1) return;
      this.spaces.delete(spaceId);
      documents -= weightOf(space);
    }
  }
}

const weightOf = (space: Space): number =>
  [...space.indexes.values()].reduce((sum, { weight }) => sum + weight, 0);
