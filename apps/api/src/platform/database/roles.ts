import { createHash } from 'node:crypto';
import pg from 'pg';
import { JOB_SCHEMA } from './job-schema.js';
import { SettingsError } from '../config/settings-error.js';

/**
 * Who may do what in the database. The owner migrates; the api and the worker log in as roles that own nothing of the log, so that
 * neither an injected statement nor a bug of theirs can alter it, its triggers, or a table that they have no business with.
 *
 * The worker owns the read side, which it makes and throws away; the api only reads that.
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

const shared: Grant = { nimo_api: WRITE, nimo_worker: WRITE };
/** Who somebody is: a worker that was taken over opens no session and changes no password. */
const identity: Grant = { nimo_api: WRITE, nimo_worker: NOTHING };
/** The same, where jobs of the worker end what has run out, or whose sign-up nobody finished. */
const sweptIdentity: Grant = { nimo_api: WRITE, nimo_worker: SWEEP };

/** Every table that migrations make outside the schema `read`; a test names one that is missing here. */
export const TABLE_GRANTS: Readonly<Record<string, Grant>> = {
  'log.events': { nimo_api: APPEND, nimo_worker: APPEND },
  'log.chain': { nimo_api: READ, nimo_worker: APPEND },
  'log.signed_heads': { nimo_api: APPEND, nimo_worker: APPEND },
  'state.abandoned_sign_up': shared,
  // Written by the command line, as the owner.
  'state.back_up': { nimo_api: READ, nimo_worker: READ },
  'state.carried_group': sweptIdentity,
  'state.case_effect': shared,
  'state.claim_check': shared,
  'state.contact_change': sweptIdentity,
  'state.credential': sweptIdentity,
  'state.erasure': { nimo_api: READ, nimo_worker: WRITE },
  'state.factor_ceremony': sweptIdentity,
  'state.factor_reset': identity,
  'state.factor_ticket': sweptIdentity,
  'state.guardian_link': sweptIdentity,
  'state.idempotency_keys': sweptIdentity,
  'state.identity': sweptIdentity,
  'state.key_use': shared,
  'state.invitation': sweptIdentity,
  'state.invitation_use': sweptIdentity,
  'state.invited_contact': sweptIdentity,
  'state.last_look': { nimo_api: WRITE, nimo_worker: READ },
  'state.log_chain_place': { nimo_api: READ, nimo_worker: WRITE },
  'state.log_home': { nimo_api: APPEND, nimo_worker: APPEND },
  'state.login_attempt': sweptIdentity,
  'state.log_misfits': { nimo_api: APPEND, nimo_worker: WRITE },
  'state.log_verification': { nimo_api: READ, nimo_worker: WRITE },
  // Made by the job that mails it, so that the answer to a request never tells whether an address is known.
  'state.mailed_link': shared,
  'state.migrations': { nimo_api: READ, nimo_worker: READ },
  'state.otp': sweptIdentity,
  'state.outbox': shared,
  'state.own_export': shared,
  'state.passkey': identity,
  'state.pending_registration': sweptIdentity,
  'state.phone_grant': sweptIdentity,
  'state.reactors': { nimo_api: READ, nimo_worker: WRITE },
  'state.recovery_code': identity,
  'state.scoring_drafts': { nimo_api: WRITE, nimo_worker: READ },
  'state.scoring_trial_rows': { nimo_api: WRITE, nimo_worker: READ },
  'state.scoring_trials': { nimo_api: WRITE, nimo_worker: READ },
  'state.search_collections': { nimo_api: READ, nimo_worker: WRITE },
  'state.search_shipping': { nimo_api: READ, nimo_worker: WRITE },
  // The api, which strangers reach, takes nothing back; the worker forgets what is too old or whose owner is gone.
  'state.security_log': { nimo_api: APPEND, nimo_worker: ['select', 'insert', 'delete'] },
  'state.session': sweptIdentity,
  'state.sign_in_attempt': sweptIdentity,
  // What the api decides from: a worker that was taken over must not be able to say what the log does not.
  'state.student_language': { nimo_api: WRITE, nimo_worker: READ },
  'state.stream_snapshots': identity,
  'state.student_key': shared,
  'state.throttle': shared,
  'state.totp_factor': identity,
  'state.unfinished_restore': { nimo_api: READ, nimo_worker: READ },
  'state.upload': shared,
  'state.web_document': { nimo_api: ['select', 'insert', 'update'], nimo_worker: SWEEP },
};

/** As one statement, so as one transaction. What was granted before and is no longer listed is taken away. */
const GRANTS_SQL = [
  // The read side may have been thrown away, and jobs may lie in Redis.
  ...['read', JOB_SCHEMA].map((schema) => `create schema if not exists ${schema}`),
  ...['log', 'state', 'read', JOB_SCHEMA].map(
    (schema) => `grant usage on schema ${schema} to ${DATABASE_ROLES.join(', ')}`,
  ),
  ...['log', 'state'].map(
    (schema) => `revoke all on all tables in schema ${schema} from ${DATABASE_ROLES.join(', ')}`,
  ),
  ...Object.entries(TABLE_GRANTS).flatMap(([table, grant]) =>
    DATABASE_ROLES.filter((role) => grant[role].length > 0).map(
      (role) => `grant ${grant[role].join(', ')} on ${table} to ${role}`,
    ),
  ),
  `grant usage on all sequences in schema state to ${DATABASE_ROLES.join(', ')}`,
  `alter schema read owner to nimo_worker`,
  `grant select on all tables in schema read to nimo_api`,
  // Of what a worker makes, and of what the owner makes and gives to it.
  `alter default privileges for role nimo_worker in schema read grant select on tables to nimo_api`,
  `alter default privileges in schema read grant select on tables to nimo_api`,
  // The migration made the bookkeeping as the owner.
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

/** Makes the roles where that is allowed. Whether they have a password is for who runs the server. */
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
    -- The owner gives the read side to the worker.
    if not pg_has_role(current_user, name, 'MEMBER') then
      execute format('GRANT %I TO CURRENT_USER', name);
    end if;
  end loop;
end
$roles$`;

/** Whether the roles have what this version gives them; asks as whoever is connected. */
export async function areRolesUpToDate(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null; owner: string | null }>(
    `select obj_description(to_regnamespace('state'), 'pg_namespace') as mark,
            (select nspowner::regrole::text from pg_namespace where nspname = 'read') as owner`,
  );
  return rows[0]?.mark === MARK && rows[0].owner === 'nimo_worker';
}

/**
 * Gives the roles exactly what `TABLE_GRANTS` lists. The connection is the owner's, and its schema this version's.
 *
 * @throws {SettingsError} where the owner may not make roles and nobody else has
 */
export async function grantRoles(client: pg.Client): Promise<void> {
  try {
    await client.query(ROLES_SQL);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new SettingsError(
      `DATABASE_OWNER_URL must name a role that may make roles, or a superuser runs once: ${DATABASE_ROLES.map(
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
