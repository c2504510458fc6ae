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
import { randomHistory } from '../../libs/projections/src/testing/random-history.fixture.js';
import { eventually } from '@nimo/testing';
import { expectVerified } from './verified.js';

export const projectionNames = projections.map(({ name }) => name);

type Past = ReturnType<typeof randomHistory>;

/** Appends to a log while its projections are rebuilt, and checks the result. */
export class RebuildingProduct {
  readonly past: Past;
  private recorded = 0;

  constructor(
    readonly pool: Pool,
    readonly store: EventStore,
    seed: number,
    events: number,
  ) {
    this.past = randomHistory(seed, events);
  }

  get hasMore(): boolean {
    return this.recorded < this.past.events.length;
  }

  /** Appends the next events of the random history. */
  async append(count: number): Promise<void> {
    const appends = this.past.appends.slice(this.recorded, this.recorded + count);
    if (appends.length === 0) return;
    this.recorded += appends.length;
    await this.write(appends);
  }

  /** Publishes the next rules version, effective from the beginning or from a random event. */
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
    if (outcomes.some(({ kind }) => kind !== 'appended')) throw new Error('an append was rejected');
  }

  /** Requests a rebuild, like a maintainer. */
  async requestRebuild(name: string): Promise<void> {
    const { pool, store } = this;
    await new ProjectionMaintenance({ pool, store, projections }).request({
      type: 'ProjectionRebuildStarted',
      data: { projection: name, hold: false },
    });
  }

  /** Expires the leases of killed workers. Their queries may still be running in PostgreSQL. */
  async expireLeases(): Promise<void> {
    for (const table of ['read.projection_generations', 'read.projection_workers'])
      await this.pool.query(`update ${table} set expires_at = clock_timestamp()`);
  }

  generations(): Promise<Generation[]> {
    return listGenerations(this.pool, projectionNames);
  }

  /** Waits until every projection has reached the log head and no build or switch is pending. */
  async waitUntilSettled(output: () => string): Promise<void> {
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
          live.length === projectionNames.length &&
          live.every(({ position }) => position === head) &&
          generations.every(
            ({ status, asked }) => (status === 'live' || status === 'former') && asked === null,
          )
        );
      },
      Boolean,
      () => ['end of all rebuilds', { seen, output: output() }],
    );
  }

  /** Hash of the rows of every live generation. */
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

  /** Expects every projection to equal a full rebuild. */
  async expectVerified(): Promise<void> {
    await expectVerified(this);
  }

  /** Rebuilt generations whose switch is not in the log exactly once. */
  async misreportedSwitches(): Promise<string[]> {
    const { rows } = await this.pool.query<{ error: string }>(`
      select g.name || ':' || g.generation || ' was reported ' || count(e.event_id) || ' times' as error
      from read.projection_generations g
        left join log.events e on e.type = 'ProjectionSwitched' and e.stream_id = 'projection-' || g.name
          and (e.data ->> 'generation')::int = g.generation
      where g.generation > 1 group by g.name, g.generation having count(e.event_id) <> 1`);
    return rows.map(({ error }) => error);
  }

  /** Leftovers: tables of dropped generations, missing tables, and views that do not read the live generation. */
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
