import { randomUUID } from 'node:crypto';
import { DEFAULT_SCORING_RULES, SCORING_RULES_STREAM } from '@nimo/domain';
import type { Append, EventStore } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import {
  canonicalHash,
  type Generation,
  listGenerations,
  ProjectionMaintenance,
} from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { randomPast } from '../../libs/projections/src/testing/random-history.fixture.js';
import { eventually } from '@nimo/testing';
import { expectVerified } from './verified.js';

export const names = projections.map(({ name }) => name);

type Past = ReturnType<typeof randomPast>;

/** A log that is written on while projections are rebuilt, and what must come of it. */
export class RebuildingProduct {
  readonly past: Past;
  private recorded = 0;

  constructor(
    readonly pool: Pool,
    readonly store: EventStore,
    seed: number,
    events: number,
  ) {
    this.past = randomPast(seed, events);
  }

  get hasMore(): boolean {
    return this.recorded < this.past.events.length;
  }

  /** The next events of the history into the log. */
  async append(count: number): Promise<void> {
    const appends = this.past.appends.slice(this.recorded, this.recorded + count);
    if (appends.length === 0) return;
    this.recorded += appends.length;
    await this.write(appends);
  }

  /** Rules for all of the past or from somewhere in it, after whatever was published before. */
  async publishRules(fromTheBeginning: boolean): Promise<void> {
    const { rows } = await this.pool.query<{ version: number; somewhere: string }>(`
      select coalesce(max((data ->> 'version')::int), 1) + 1 as version,
        (select metadata ->> 'occurredAt' from log.events order by md5(event_id::text) limit 1) as somewhere
      from log.events where type = 'ScoringRulesPublished'`);
    const [row] = rows;
    if (!row) throw new Error('an aggregate has one row');
    const effectiveFrom = fromTheBeginning ? null : row.somewhere;
    const id = randomUUID();
    const occurredAt = new Date().toISOString();
    const trace = { commandId: id, correlationId: id, causationId: id, schemaVersion: 1 };
    const data = { ...DEFAULT_SCORING_RULES, version: row.version, effectiveFrom, note: 'Changed' };
    const metadata = { occurredAt, recordedAt: occurredAt, actor: { kind: 'operator' }, ...trace };
    const events = [{ id, type: 'ScoringRulesPublished', data, metadata }];
    await this.write([{ streamId: SCORING_RULES_STREAM, expectedRevision: 'any', events }]);
  }

  private async write(appends: readonly Append[]): Promise<void> {
    const outcomes = await this.store.append(appends);
    if (outcomes.some(({ kind }) => kind !== 'appended')) throw new Error('an append was refused');
  }

  /** What a maintainer's request comes down to: from then on it is the workers' business. */
  async request(name: string): Promise<void> {
    const { pool, store } = this;
    await new ProjectionMaintenance({ pool, store, projections }).request({
      type: 'ProjectionRebuildStarted',
      data: { projection: name, hold: false },
    });
  }

  /** Lets the three seconds go by for which the dead are waited for. What they left in the server may still be running. */
  async letLeasesExpire(): Promise<void> {
    for (const table of ['read.projection_generations', 'read.projection_workers'])
      await this.pool.query(`update ${table} set expires_at = clock_timestamp()`);
  }

  generations(): Promise<Generation[]> {
    return listGenerations(this.pool, names);
  }

  /** Until every projection has folded the whole log, nothing is being built, and every switch is told of. */
  async settled(words: () => string): Promise<void> {
    let seen: unknown;
    await eventually(
      async () => {
        const head = await this.store.head();
        const generations = await this.generations();
        seen = generations.map(({ name, generation, status, position, asked, error }) => [
          name,
          generation,
          status,
          position,
          asked,
          error,
        ]);
        const live = generations.filter(({ status }) => status === 'live');
        return (
          live.length === names.length &&
          live.every(({ position }) => position === head) &&
          generations.every(
            ({ status, asked }) => (status === 'live' || status === 'former') && asked === null,
          )
        );
      },
      Boolean,
      () => ['every rebuild coming to its end', { seen, words: words() }],
    );
  }

  /** The rows of every live generation. */
  async hashes(): Promise<Record<string, string>> {
    const live = (await this.generations()).filter(({ status }) => status === 'live');
    const hashes: Record<string, string> = {};
    for (const projection of projections) {
      const generation = live.find(({ name }) => name === projection.name);
      if (generation)
        hashes[projection.name] = await canonicalHash(this.pool, projection, generation.generation);
    }
    return hashes;
  }

  /** Lets a worker compare every projection with a fold of the whole log. */
  async expectVerified(): Promise<void> {
    await expectVerified(this);
  }

  /** Of what serves or served, and was built for it: the end of each rebuild is in the log once, whoever died before it was told. */
  async switchesToldTwiceOrNever(): Promise<string[]> {
    const { rows } = await this.pool.query<{ odd: string }>(`
      select g.name || ':' || g.generation || ' was told ' || count(e.event_id) || ' times' as odd
      from read.projection_generations g
        left join log.events e on e.type = 'ProjectionSwitched' and e.stream_id = 'projection-' || g.name
          and (e.data ->> 'generation')::int = g.generation
      where g.generation > 1 group by g.name, g.generation having count(e.event_id) <> 1`);
    return rows.map(({ odd }) => odd);
  }

  /** What does not belong: tables of generations that are gone, and views that read another one than the live. */
  async leftovers(): Promise<string[]> {
    const { rows } = await this.pool.query<{ leftover: string }>(`
      select 'table ' || c.relname as leftover from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'read' and c.relkind = 'r' and c.relname ~ '__g[0-9]+$'
          and not exists (select from read.generation_tables t where t.table_name || '__g' || t.generation = c.relname)
      union all
      select 'missing ' || t.table_name || '__g' || t.generation from read.generation_tables t
        where to_regclass('read.' || t.table_name || '__g' || t.generation) is null
      union all
      select 'view ' || u.view_name || ' on ' || u.table_name from information_schema.view_table_usage u
        where u.view_schema = 'read' and u.table_name ~ '__g[0-9]+$' and not exists (
          select from read.generation_tables t join read.projection_generations g using (name, generation)
          where g.status = 'live' and t.table_name || '__g' || t.generation = u.table_name)`);
    return rows.map(({ leftover }) => leftover);
  }
}
