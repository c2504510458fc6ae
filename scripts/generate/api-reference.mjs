// Writes docs/api/reference.md by running its suite, which executes every example.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const { status } = spawnSync(
  process.execPath,
  ['scripts/jest.mjs', 'features/schema/api-reference.e2e-spec', '--selectProjects', 'api'],
  { stdio: 'inherit', env: { ...process.env, NIMO_API_REFERENCE: 'write' } },
);
process.exit(status ?? 1);
