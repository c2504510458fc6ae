import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { FileStore, StoredFile } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { Language } from '../../platform/texts/language.js';
import type { Row } from './own-page.js';

/** How long an export can be downloaded. */
const OWN_EXPORT_HOURS = 24;
/** A worker without a heartbeat for this long counts as gone. */
const STALE_AFTER = '90 seconds';
const MAX_ATTEMPTS = 5;

export type OwnExportStatus = 'WAITING' | 'WORKING' | 'READY' | 'FAILED';

export interface OwnExportState {
  readonly id: string;
  readonly status: OwnExportStatus;
  readonly percent: number;
  readonly askedAt: Date;
  readonly expiresAt: Date | null;
  readonly bytes: number | null;
}

/** An export claimed by a worker under a unique run ID. */
export interface ClaimedExport {
  readonly id: string;
  readonly studentId: string;
  readonly language: Language;
  readonly run: string;
  readonly secondFactors: readonly Row[];
}

interface StateRow {
  readonly id: string;
  readonly status: OwnExportStatus;
  readonly percent: number;
  readonly requested_at: Date | string;
  readonly expires_at: Date | string | null;
  readonly bytes: string | null;
}

const COLUMNS = 'id, status, percent, requested_at, expires_at, bytes';

/** Each run writes its own file, so that a late run overwrites nothing. */
export const exportPath = (run: string): string => `exports/${run}.zip`;

/** Data exports in `state.data_export`: at most one per student, plus ended ones until their file is gone. */
@Injectable()
export class OwnExports {
  constructor(
    private readonly pool: Pool,
    @Inject(JOBS) private readonly jobs: JobQueues,
    @Inject(FILES) private readonly files: FileStore,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** Requests an export. One in progress continues; a finished one is replaced. */
  async request(studentId: string, language: Language): Promise<OwnExportState> {
    await discardExports(this.pool, this.files, studentId, ['READY', 'FAILED']);
    const id = randomUUID();
    // The worker cannot read second factors, so the row carries them.
    const sealed = sealText(
      this.settings.masterKey,
      JSON.stringify(await this.secondFactorsOf(studentId)),
      contextOf(id),
    );
    await this.pool.query(
      `insert into state.data_export (id, student_id, language, status, sealed) values ($1, $2, $3, 'WAITING', $4)
       on conflict (student_id) where ended_at is null do nothing`,
      [id, studentId, language, sealed],
    );
    const state = await this.find(studentId);
    if (!state) throw new Error('the export just requested is gone');
    if (state.status === 'WAITING') await this.jobs.add('ownExport', { id: state.id }, state.id);
    return state;
  }

  async find(studentId: string): Promise<OwnExportState | undefined> {
    const { rows } = await this.pool.query<StateRow>(
      `select ${COLUMNS} from state.data_export
       where student_id = $1 and ended_at is null and (expires_at is null or expires_at > now())`,
      [studentId],
    );
    return rows[0] && stateFrom(rows[0]);
  }

  /** The student's finished file, until it expires. */
  async openFile(studentId: string): Promise<StoredFile | undefined> {
    const { rows } = await this.pool.query<{ run: string }>(
      `select run from state.data_export
       where student_id = $1 and status = 'READY' and ended_at is null and expires_at > now()`,
      [studentId],
    );
    return rows[0] && ((await this.files.read(exportPath(rows[0].run))) ?? undefined);
  }

  /** Claims an export that no live worker has. It starts over. */
  async claim(id: string): Promise<ClaimedExport | undefined> {
    const run = randomUUID();
    const { rows } = await this.pool.query<{ student_id: string; language: Language; sealed: string }>(
      `update state.data_export set status = 'WORKING', percent = 0, run = $2, runs = array_append(runs, $2::uuid), touched_at = now(), starts = starts + 1
       where id = $1 and ended_at is null
         and (status = 'WAITING' or status = 'WORKING' and touched_at < now() - interval '${STALE_AFTER}')
       returning student_id, language, sealed`,
      [id, run],
    );
    const [row] = rows;
    if (!row) return undefined;
    const secondFactors = JSON.parse(
      openText(decryptionKeys(this.settings), row.sealed, contextOf(id)),
    ) as Row[];
    return { id, studentId: row.student_id, language: row.language, run, secondFactors };
  }

  /** @returns false if another worker has claimed the export, or it was cancelled */
  async progress({ id, run }: ClaimedExport, percent: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update state.data_export set percent = $3, touched_at = now()
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null`,
      [id, run, percent],
    );
    return rowCount === 1;
  }

  /** Runs that a live worker is writing. */
  async liveRuns(): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ run: string }>(
      `select run from state.data_export
       where status = 'WORKING' and ended_at is null and touched_at >= now() - interval '${STALE_AFTER}'`,
    );
    return rows.map(({ run }) => run);
  }

  /** Releases a failed run; the next one starts over. */
  async release({ id, run }: ClaimedExport): Promise<void> {
    await this.pool.query(
      `update state.data_export set status = 'WAITING', percent = 0
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null`,
      [id, run],
    );
  }

  /** @returns false as for `progress` */
  async complete({ id, run }: ClaimedExport, bytes: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ runs: readonly string[] }>(
      `update state.data_export set status = 'READY', percent = 100, bytes = $3, touched_at = now(),
         expires_at = now() + interval '${OWN_EXPORT_HOURS} hours'
       where id = $1 and run = $2 and status = 'WORKING' and ended_at is null
       returning runs`,
      [id, run, bytes],
    );
    const stale = rows.flatMap(({ runs }) => runs).filter((other) => other !== run);
    for (const other of stale) await this.files.remove(exportPath(other));
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

  async discard(studentId: string): Promise<boolean> {
    return (await discardExports(this.pool, this.files, studentId)) > 0;
  }

  /**
   * Runs periodically in the worker. Ends expired exports, and restarts or fails abandoned ones. A row is deleted, with its file, once no
   * worker can still be writing to it.
   */
  async sweep(): Promise<void> {
    await this.pool.query(
      `update state.data_export set ended_at = now() where ended_at is null and expires_at < now()`,
    );
    await this.pool.query(
      `update state.data_export set status = 'FAILED'
       where ended_at is null and status in ('WAITING', 'WORKING') and starts >= $1 and touched_at < now() - interval '${STALE_AFTER}'`,
      [MAX_ATTEMPTS],
    );
    const { rows: abandoned } = await this.pool.query<{ id: string; starts: number }>(
      `select id, starts from state.data_export
       where ended_at is null and status in ('WAITING', 'WORKING') and touched_at < now() - interval '${STALE_AFTER}'`,
    );
    for (const { id, starts } of abandoned)
      await this.jobs.add('ownExport', { id }, `${id}-${starts}-${Math.floor(Date.now() / 60_000)}`);
    const { rows: ended } = await this.pool.query<{ id: string; runs: readonly string[] }>(
      `select id, runs from state.data_export where ended_at < now() - interval '10 minutes' or status = 'FAILED' and touched_at < now() - interval '1 day'`,
    );
    for (const { id, runs } of ended) {
      for (const run of runs) await this.files.remove(exportPath(run));
      await this.pool.query('delete from state.data_export where id = $1', [id]);
    }
  }
}

/**
 * Discards exports, also on erasure. The file is deleted; the row is anonymised and kept for the minutes in which a worker may still be
 * writing, so that no file is left behind.
 */
export async function discardExports(
  pool: Pick<Pool, 'query'>,
  files: FileStore,
  studentId: string,
  statuses: readonly OwnExportStatus[] = ['WAITING', 'WORKING', 'READY', 'FAILED'],
): Promise<number> {
  const { rows } = await pool.query<{ runs: readonly string[] }>(
    `update state.data_export set ended_at = now(), student_id = '' where student_id = $1 and ended_at is null and status = any($2)
     returning runs`,
    [studentId, statuses],
  );
  for (const run of rows.flatMap(({ runs }) => runs)) await files.remove(exportPath(run));
  return rows.length;
}

const contextOf = (id: string): string => `own-export:${id}`;

const stateFrom = ({ requested_at, expires_at, bytes, ...row }: StateRow): OwnExportState => ({
  ...row,
  askedAt: new Date(requested_at),
  expiresAt: expires_at === null ? null : new Date(expires_at),
  bytes: bytes === null ? null : Number(bytes),
});
