// Writes the tables of docs/permissions.md by running the permission suite, which tries every operation as every role.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const { status } = spawnSync(
  process.execPath,
  ['scripts/jest.mjs', 'platform/auth/permissions.e2e-spec', '--selectProjects', 'api'],
  { stdio: 'inherit', env: { ...process.env, NIMO_PERMISSIONS: 'write' } },
);
process.exit(status ?? 1);
