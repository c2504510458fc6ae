import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startProduct } from '../../test/product.js';

const CLI = join(import.meta.dirname, '../../dist/apps/api/src/cli.js');
const SPACE = 'French';

/** A product with the community of the dump in `NIMO_DUMP`, and with its moderator and its maintainer in place. */
export default async function setUp(): Promise<() => Promise<void>> {
  const dump = process.env['NIMO_DUMP'];
  if (dump === undefined) throw new Error('NIMO_DUMP names no folder of a Stack Exchange dump.');
  const product = await startProduct({ RATE_LIMIT_FACTOR: '1000' });
  try {
    const nimo = (...words: readonly string[]) => run(product.dataDir, words);
    await nimo('import', 'stackexchange', dump, '--space', SPACE);
    await nimo('grant', 'moderator', 'ms_rao', '--space', SPACE);
  } catch (error) {
    await product.stop();
    throw error;
  }
  process.env['NIMO_E2E_URL'] = product.url;
  process.env['NIMO_E2E_DATA_DIR'] = product.dataDir;
  process.env['NIMO_E2E_SPACE'] = SPACE;
  return () => product.stop();
}

async function run(dataDir: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { ...process.env, NIMO_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`nimo ${words.join(' ')} ended with ${code}`);
}
