import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startProduct } from '../../test/product.js';
import { NimoApi } from '../support/api.js';
import { createScenario } from './scenario.js';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/apps/api/src/cli.js');
const DUMP = process.env['NIMO_DUMP'] ?? join(ROOT, '../shared/data/stackexchange-french-meta');
const SPACE = 'French';

/** Starts a product with the community of the Stack Exchange dump in `NIMO_DUMP` and adds activity. */
export default async function setUp(): Promise<() => Promise<void>> {
  process.env['NIMO_E2E_SPACE'] = SPACE;
  // For writing steps against a product that is already set up.
  if (process.env['NIMO_E2E_SCENARIO'] !== undefined) return () => Promise.resolve();
  const product = await startProduct({ RATE_LIMIT_FACTOR: '1000' });
  try {
    const nimo = (...parameters: readonly string[]) => run(product.dataDir, parameters);
    await nimo('import', 'stackexchange', DUMP, '--space', SPACE);
    await nimo('grant', 'moderator', 'ms_rao', '--space', SPACE);
    process.env['NIMO_E2E_SCENARIO'] = JSON.stringify(await createScenario(new NimoApi(product.url, SPACE)));
  } catch (error) {
    await product.stop();
    throw error;
  }
  process.env['NIMO_E2E_URL'] = product.url;
  process.env['NIMO_E2E_DATA_DIR'] = product.dataDir;
  return () => product.stop();
}

async function run(dataDir: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...parameters], {
    env: { ...process.env, NIMO_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`nimo ${parameters.join(' ')} exited with code ${code}`);
}
