// Writes the tables of docs/permissions.md: the suite of permissions tries every operation as every role, and writes what it finds.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const { status } = spawnSync(
  process.execPath,
  ['scripts/jest.mjs', 'platform/auth/permissions.e2e-spec', '--selectProjects', 'api'],
  { stdio: 'inherit', env: { ...process.env, NIMO_PERMISSIONS: 'write' } },
);
process.exit(status ?? 1);
