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
  ...['read', JOB_SCHEMA].map((schema) => `CREATE SCHEMA IF NOT EXISTS ${schema}`),
  ...['log', 'state', 'read', JOB_SCHEMA].map(
    (schema) => `GRANT USAGE ON SCHEMA ${schema} TO ${DATABASE_ROLES.join(', ')}`,
  ),
  ...['log', 'state'].map(
    (schema) => `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${DATABASE_ROLES.join(', ')}`,
  ),
  ...Object.entries(TABLE_GRANTS).flatMap(([table, grant]) =>
    DATABASE_ROLES.filter((role) => grant[role].length > 0).map(
      (role) => `GRANT ${grant[role].join(', ')} ON ${table} TO ${role}`,
    ),
  ),
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA state TO ${DATABASE_ROLES.join(', ')}`,
  `ALTER SCHEMA read OWNER TO nimo_worker`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA read TO nimo_api`,
  // Of what a worker makes, and of what the owner makes and gives to it.
  `ALTER DEFAULT PRIVILEGES FOR ROLE nimo_worker IN SCHEMA read GRANT SELECT ON TABLES TO nimo_api`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA read GRANT SELECT ON TABLES TO nimo_api`,
  // The migration made the bookkeeping as the owner.
  `DO $own$
   DECLARE made record;
   BEGIN
     FOR made IN SELECT c.oid::regclass AS name, c.relkind FROM pg_class c
       WHERE c.relnamespace = 'read'::regnamespace AND c.relkind IN ('r', 'v', 'S')
         AND c.relowner <> 'nimo_worker'::regrole
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
     LOOP
       EXECUTE format('ALTER %s %s OWNER TO nimo_worker',
         CASE made.relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, made.name);
     END LOOP;
   END
   $own$`,
  ...['TABLES', 'SEQUENCES', 'FUNCTIONS'].map(
    (kind) => `GRANT ALL ON ALL ${kind} IN SCHEMA ${JOB_SCHEMA} TO ${DATABASE_ROLES.join(', ')}`,
  ),
].join(';\n');

const MARK = `nimo roles ${createHash('sha256').update(GRANTS_SQL).digest('hex').slice(0, 16)}`;

/** Makes the roles where that is allowed. Whether they have a password is for who runs the server. */
const ROLES_SQL = `
DO $roles$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['${DATABASE_ROLES.join("', '")}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I LOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- another database of this server made it at the same moment
      END;
    END IF;
    -- The owner gives the read side to the worker.
    IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', name);
    END IF;
  END LOOP;
END
$roles$`;

/** Whether the roles have what this version gives them; asks as whoever is connected. */
export async function areRolesUpToDate(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null; owner: string | null }>(
    `SELECT obj_description(to_regnamespace('state'), 'pg_namespace') AS mark,
            (SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'read') AS owner`,
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
        (role) => `CREATE ROLE ${role} LOGIN PASSWORD '…'; GRANT ${role} TO the owner;`,
      ).join(' ')}`,
    );
  }
  await client.query(`${GRANTS_SQL};\nCOMMENT ON SCHEMA state IS '${MARK}'`);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
}
