import { createHash } from 'node:crypto';
import pg from 'pg';
import { JOB_SCHEMA } from './job-schema.js';
import { SettingsError } from '../config/settings-error.js';
import { RENAMED_TABLES } from './renamed-tables.js';

/**
 * Database roles. The owner migrates; the API and the worker connect as roles that do not own the log, so that neither an injected
 * statement nor a bug can alter it, its triggers or unrelated tables.
 *
 * The worker owns the schema `read`, whose tables it creates and drops; the API only reads them.
 */
export const DATABASE_ROLES = ['nimo_api', 'nimo_worker'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

type Verb = 'select' | 'insert' | 'update' | 'delete';
interface Grant {
  readonly nimo_api: readonly Verb[];
  readonly nimo_worker: readonly Verb[];
}

const READ = ['select'] as const;
const APPEND = ['select', 'insert'] as const;
const WRITE = ['select', 'insert', 'update', 'delete'] as const;
const SWEEP = ['select', 'delete'] as const;
const NOTHING = [] as const;

const SHARED: Grant = { nimo_api: WRITE, nimo_worker: WRITE };
/** Authentication data: a compromised worker can open no session and change no password. */
const API_ONLY: Grant = { nimo_api: WRITE, nimo_worker: NOTHING };
/** Authentication data whose expired rows the worker deletes. */
const SWEPT_BY_WORKER: Grant = { nimo_api: WRITE, nimo_worker: SWEEP };

/** Grants on every table outside the schema `read`; a test checks that none is missing. */
export const TABLE_GRANTS: Readonly<Record<string, Grant>> = {
  'log.events': { nimo_api: APPEND, nimo_worker: APPEND },
  'log.chain': { nimo_api: READ, nimo_worker: APPEND },
  'log.signed_heads': { nimo_api: APPEND, nimo_worker: APPEND },
  'state.abandoned_sign_up': SHARED,
  // Written by the CLI as the owner.
  'state.backup': { nimo_api: READ, nimo_worker: READ },
  'state.case_effect': SHARED,
  'state.claim_check': SHARED,
  'state.contact_change': SWEPT_BY_WORKER,
  'state.credential': SWEPT_BY_WORKER,
  'state.data_export': SHARED,
  'state.erasure': { nimo_api: READ, nimo_worker: WRITE },
  'state.factor_ceremony': SWEPT_BY_WORKER,
  'state.factor_reset': API_ONLY,
  'state.factor_ticket': SWEPT_BY_WORKER,
  'state.guardian_link': SWEPT_BY_WORKER,
  'state.idempotency_keys': SWEPT_BY_WORKER,
  'state.identity': SWEPT_BY_WORKER,
  'state.invitation': SWEPT_BY_WORKER,
  'state.invitation_use': SWEPT_BY_WORKER,
  'state.invited_contact': SWEPT_BY_WORKER,
  'state.key_fingerprint': SHARED,
  'state.log_chain_position': { nimo_api: READ, nimo_worker: WRITE },
  'state.log_engine': { nimo_api: APPEND, nimo_worker: APPEND },
  'state.log_mismatches': { nimo_api: APPEND, nimo_worker: WRITE },
  'state.log_verification': { nimo_api: READ, nimo_worker: WRITE },
  'state.login_attempt': SWEPT_BY_WORKER,
  // Created by the mail job, so that the timing of a response does not reveal whether an address is known.
  'state.mailed_link': SHARED,
  'state.matched_group': SWEPT_BY_WORKER,
  'state.migrations': { nimo_api: READ, nimo_worker: READ },
  'state.notifications_seen': { nimo_api: WRITE, nimo_worker: READ },
  'state.otp': SWEPT_BY_WORKER,
  'state.outbox': SHARED,
  'state.passkey': API_ONLY,
  'state.pending_registration': SWEPT_BY_WORKER,
  'state.phone_grant': SWEPT_BY_WORKER,
  'state.reactors': { nimo_api: READ, nimo_worker: WRITE },
  'state.recovery_code': API_ONLY,
  'state.scoring_drafts': { nimo_api: WRITE, nimo_worker: READ },
  'state.scoring_trial_rows': { nimo_api: WRITE, nimo_worker: READ },
  'state.scoring_trials': { nimo_api: WRITE, nimo_worker: READ },
  'state.search_collections': { nimo_api: READ, nimo_worker: WRITE },
  'state.search_sync': { nimo_api: READ, nimo_worker: WRITE },
  // The API, which is exposed to strangers, cannot delete entries; the worker deletes old ones and those of erased students.
  'state.security_log': { nimo_api: APPEND, nimo_worker: ['select', 'insert', 'delete'] },
  'state.session': SWEPT_BY_WORKER,
  'state.sign_in_attempt': SWEPT_BY_WORKER,
  // Input of the API's decisions, which a compromised worker must not forge.
  'state.stream_snapshots': API_ONLY,
  'state.student_key': SHARED,
  'state.student_language': { nimo_api: WRITE, nimo_worker: READ },
  'state.throttle': SHARED,
  'state.totp_factor': API_ONLY,
  'state.unfinished_restore': { nimo_api: READ, nimo_worker: READ },
  'state.upload': SHARED,
  'state.web_document': { nimo_api: ['select', 'insert', 'update'], nimo_worker: SWEEP },
};

const grantsOn = (name: string, grant: Grant): string[] =>
  DATABASE_ROLES.filter((role) => grant[role].length > 0).map(
    (role) => `grant ${grant[role].join(', ')} on ${name} to ${role}`,
  );

/** Grants on the views under old names, for processes of the previous version. Only older databases have the views. */
const GRANTS_ON_VIEWS = RENAMED_TABLES.flatMap(({ schema, from, to }) => {
  const grant = TABLE_GRANTS[`${schema}.${to}`];
  if (grant === undefined) return [];
  const grants = grantsOn(`${schema}.${from}`, grant).join('; ');
  return `do $view$ begin if to_regclass('${schema}.${from}') is not null then ${grants}; end if; end $view$`;
});

/** Runs as one transaction. Revokes grants that are no longer listed. */
const GRANTS_SQL = [
  // `read` may have been dropped, and jobs may be in Redis.
  ...['read', JOB_SCHEMA].map((schema) => `create schema if not exists ${schema}`),
  ...['log', 'state', 'read', JOB_SCHEMA].map(
    (schema) => `grant usage on schema ${schema} to ${DATABASE_ROLES.join(', ')}`,
  ),
  ...['log', 'state'].map(
    (schema) => `revoke all on all tables in schema ${schema} from ${DATABASE_ROLES.join(', ')}`,
  ),
  ...Object.entries(TABLE_GRANTS).flatMap(([table, grant]) => grantsOn(table, grant)),
  ...GRANTS_ON_VIEWS,
  `grant usage on all sequences in schema state to ${DATABASE_ROLES.join(', ')}`,
  `alter schema read owner to nimo_worker`,
  `grant select on all tables in schema read to nimo_api`,
  // For tables the worker creates, and those the owner creates for it.
  `alter default privileges for role nimo_worker in schema read grant select on tables to nimo_api`,
  `alter default privileges in schema read grant select on tables to nimo_api`,
  // Migrations created the bookkeeping tables as the owner.
  `do $own$
   declare made record;
   begin
     for made in select c.oid::regclass as name, c.relkind from pg_class c
       where c.relnamespace = 'read'::regnamespace and c.relkind in ('r', 'v', 'S')
         and c.relowner <> 'nimo_worker'::regrole
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
     loop
       execute format('ALTER %s %s OWNER TO nimo_worker',
         case made.relkind when 'v' then 'VIEW' when 'S' then 'SEQUENCE' else 'TABLE' end, made.name);
     end loop;
   end
   $own$`,
  ...['TABLES', 'SEQUENCES', 'FUNCTIONS'].map(
    (kind) => `grant all on all ${kind} in schema ${JOB_SCHEMA} to ${DATABASE_ROLES.join(', ')}`,
  ),
].join(';\n');

const MARK = `nimo roles ${createHash('sha256').update(GRANTS_SQL).digest('hex').slice(0, 16)}`;

/** Creates the roles if permitted. Passwords are up to the operator. */
const ROLES_SQL = `
do $roles$
declare name text;
begin
  foreach name in array array['${DATABASE_ROLES.join("', '")}'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('CREATE ROLE %I LOGIN', name);
      exception when duplicate_object or unique_violation then
        null; -- another database of this server made it at the same moment
      end;
    end if;
    -- The owner hands the read side to the worker.
    if not pg_has_role(current_user, name, 'MEMBER') then
      execute format('GRANT %I TO CURRENT_USER', name);
    end if;
  end loop;
end
$roles$`;

/** Whether the roles have this version's grants. Needs no privileges. */
export async function areRolesUpToDate(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null; owner: string | null }>(
    `select obj_description(to_regnamespace('state'), 'pg_namespace') as mark,
            (select nspowner::regrole::text from pg_namespace where nspname = 'read') as owner`,
  );
  return rows[0]?.mark === MARK && rows[0].owner === 'nimo_worker';
}

/**
 * Applies `TABLE_GRANTS`. Requires the owner's connection and a migrated schema.
 *
 * @throws {SettingsError} when the roles do not exist and the owner may not create them
 */
export async function grantRoles(client: pg.Client): Promise<void> {
  try {
    await client.query(ROLES_SQL);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new SettingsError(
      `DATABASE_OWNER_URL must name a role that may create roles, or a superuser must run once: ${DATABASE_ROLES.map(
        (role) => `create role ${role} login password '…'; grant ${role} to the owner;`,
      ).join(' ')}`,
    );
  }
  await client.query(`${GRANTS_SQL};\nCOMMENT ON SCHEMA state IS '${MARK}'`);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
}
