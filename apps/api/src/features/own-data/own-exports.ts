import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { FileStore, StoredFile } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { OwnDataLanguage, Row } from './own-page.js';

/** How long a copy can be fetched. */
const OWN_EXPORT_HOURS = 24;
/** Whoever works on one says so more often than that. */
const SILENT_FOR = '90 seconds';
const MAX_STARTS = 5;

export type OwnExportStatus = 'WAITING' | 'WORKING' | 'READY' | 'FAILED';

export interface OwnExportState {
  readonly id: string;
  readonly status: OwnExportStatus;
  readonly percent: number;
  readonly askedAt: Date;
  readonly expiresAt: Date | null;
  readonly bytes: number | null;
}

/** One that a worker has taken, under a number that nobody else has. */
export interface TakenExport {
  readonly id: string;
  readonly studentId: string;
  readonly language: OwnDataLanguage;
  readonly run: string;
  readonly secondFactors: readonly Row[];
}

interface StateRow {
  readonly id: string;
  readonly status: OwnExportStatus;
  readonly percent: number;
  readonly asked_at: Date | string;
  readonly expires_at: Date | string | null;
  readonly bytes: string | null;
}

const COLUMNS = 'id, status, percent, asked_at, expires_at, bytes';

/** Each run writes a file of its own, so that one that comes late spoils none. */
export const exportPath = (run: string): string => `exports/${run}.zip`;

/** Copies of what a person gave, in `state.own_export`: one a student at most, ended ones until their file is surely gone. */
@Injectable()
export class OwnExports {
  constructor(
    private readonly pool: Pool,
    @Inject(JOBS) private readonly jobs: JobQueues,
    @Inject(FILES) private readonly files: FileStore,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** One that is on its way goes on; a finished one makes room. */
  async ask(studentId: string, language: OwnDataLanguage): Promise<OwnExportState> {
    await endExports(this.pool, this.files, studentId, ['READY', 'FAILED']);
    const id = randomUUID();
    // The worker does not read factors, so they go along.
    const sealed = sealText(
      this.settings.masterKey,
      JSON.stringify(await this.secondFactorsOf(studentId)),
      boundTo(id),
    );
    await this.pool.query(
      `insert into state.own_export (id, student_id, language, status, sealed) values ($1, $2, $3, 'WAITING', $4)
       on conflict (student_id) where ended_at is null do nothing`,
      [id, studentId, language, sealed],
    );
    const state = await this.of(studentId);
    if (!state) throw new Error('an export that was just asked for is gone');
    if (state.status === 'WAITING') await this.jobs.add('ownExport', { id: state.id }, state.id);
    return state;
  }

  async of(studentId: string): Promise<OwnExportState | undefined> {
    const { rows } = await this.pool.query<StateRow>(
      `select ${COLUMNS} from state.own_export
       where student_id = $1 and ended_at is null and (expires_at is null or expires_at > now())`,
      [studentId],
    );
    return rows[0] && stateFrom(rows[0]);
  }

  /** The finished file of that student, while it can be fetched. */
  async fileOf(studentId: string): Promise<StoredFile | undefined> {
    const { rows } = await this.pool.query<{ run: string }>(
      `select run from state.own_export
       where student_id = $1 and status = 'READY' and ended_at is null and expires_at > now()`,
      [studentId],
    );
    return rows[0] && ((await this.files.read(exportPath(rows[0].run))) ?? undefined);
  }

  /** Nobody else has it, or whoever had it is silent: then it is begun anew. */
  async take(id: string): Promise<TakenExport | undefined> {
    const run = randomUUID();
    const { rows } = await this.pool.query<{ student_id: string; language: OwnDataLanguage; sealed: string }>(
      `update state.own_export set status = 'WORKING', percent = 0, run = $2, runs = array_append(runs, $2::uuid), touched_at = now(), starts = starts + 1
       where id = $1 and ended_at is null
         and (status = 'WAITING' or status = 'WORKING' and touched_at < now() - interval '${SILENT_FOR}')
       returning student_id, language, sealed`,
      [id, run],
    );
    const [row] = rows;
    if (!row) return undefined;
    const secondFactors = JSON.parse(openText(masterKeysOf(this.settings), row.sealed, boundTo(id))) as Row[];
    return { id, studentId: row.student_id, language: row.language, run, secondFactors };
  }

  /** @returns false where it is somebody else's by now, or is wanted no more */
  async progress({ id, run }: TakenExport, percent: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update state.own_export set percent = $3, touched_at = now()
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null`,
      [id, run, percent],
    );
    return rowCount === 1;
  }

  /** It failed: whoever comes next begins anew. */
  async giveBack({ id, run }: TakenExport): Promise<void> {
    await this.pool.query(
      `update state.own_export set status = 'WAITING', percent = 0
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null`,
      [id, run],
    );
  }

  /** @returns as `progress` */
  async ready({ id, run }: TakenExport, bytes: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ runs: readonly string[] }>(
      `update state.own_export set status = 'READY', percent = 100, bytes = $3, touched_at = now(),
         expires_at = now() + interval '${OWN_EXPORT_HOURS} hours'
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null
       returning runs`,
      [id, run, bytes],
    );
    const former = rows.flatMap(({ runs }) => runs).filter((other) => other !== run);
    for (const other of former) await this.files.remove(exportPath(other));
    return rows.length === 1;
  }

  private async secondFactorsOf(studentId: string): Promise<readonly Row[]> {
    const { rows } = await this.pool.query<Row>(
      `select 'app' as kind, name, created_at as "addedAt", null as "lastUsedAt" from state.totp_factor where student_id = $1
       union all
       select 'passkey', name, created_at, last_used_at from state.passkey where student_id = $1 order by 3`,
      [studentId],
    );
    return rows;
  }

  async end(studentId: string): Promise<boolean> {
    return (await endExports(this.pool, this.files, studentId)) > 0;
  }

  /**
   * In the worker, again and again: what is over ends, what a worker left behind is begun anew, or given up. A row stays until nobody
   * can be writing its file any more, and takes the file with it.
   */
  async sweep(): Promise<void> {
    await this.pool.query(
      `update state.own_export set ended_at = now() where ended_at is null and expires_at < now()`,
    );
    await this.pool.query(
      `update state.own_export set status = 'FAILED'
       where ended_at is null and status in ('WAITING', 'WORKING') and starts >= $1 and touched_at < now() - interval '${SILENT_FOR}'`,
      [MAX_STARTS],
    );
    const { rows: left } = await this.pool.query<{ id: string; starts: number }>(
      `select id, starts from state.own_export
       where ended_at is null and status in ('WAITING', 'WORKING') and touched_at < now() - interval '${SILENT_FOR}'`,
    );
    for (const { id, starts } of left)
      await this.jobs.add('ownExport', { id }, `${id}-${starts}-${Math.floor(Date.now() / 60_000)}`);
    const { rows: over } = await this.pool.query<{ id: string; runs: readonly string[] }>(
      `select id, runs from state.own_export where ended_at < now() - interval '10 minutes' or status = 'FAILED' and touched_at < now() - interval '1 day'`,
    );
    for (const { id, runs } of over) {
      for (const run of runs) await this.files.remove(exportPath(run));
      await this.pool.query('delete from state.own_export where id = $1', [id]);
    }
  }
}

/**
 * The right to be forgotten, and the way of every copy: the file goes, and the row, which names nobody any more, stays for the minutes in which
 * a worker may still be at it, so that nothing is left behind.
 */
export async function endExports(
  pool: Pick<Pool, 'query'>,
  files: FileStore,
  studentId: string,
  statuses: readonly OwnExportStatus[] = ['WAITING', 'WORKING', 'READY', 'FAILED'],
): Promise<number> {
  const { rows } = await pool.query<{ runs: readonly string[] }>(
    `update state.own_export set ended_at = now(), student_id = '' where student_id = $1 and ended_at is null and status = any($2)
     returning runs`,
    [studentId, statuses],
  );
  for (const run of rows.flatMap(({ runs }) => runs)) await files.remove(exportPath(run));
  return rows.length;
}

const boundTo = (id: string): string => `own-export:${id}`;

const stateFrom = ({ asked_at, expires_at, bytes, ...row }: StateRow): OwnExportState => ({
  ...row,
  askedAt: new Date(asked_at),
  expiresAt: expires_at === null ? null : new Date(expires_at),
  bytes: bytes === null ? null : Number(bytes),
});
