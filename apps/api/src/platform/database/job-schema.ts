import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type { ClientBase } from 'pg';

/** Schema of BullMQ's tables. */
export const JOB_SCHEMA = 'bullmq';

/** Migrates BullMQ's schema. If it is current, no privilege to create tables is needed. */
export async function ensureJobSchema(client: ClientBase): Promise<void> {
  if ((await jobSchemaVersion(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client, JOB_SCHEMA);
}

async function jobSchemaVersion(client: ClientBase): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, JOB_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
