import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type { ClientBase } from 'pg';

/** Of BullMQ's tables. */
export const JOB_SCHEMA = 'bullmq';

/** Brings BullMQ's schema to this version; a look is enough where that has been done, and needs no right to make anything. */
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
