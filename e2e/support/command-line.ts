import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../dist/apps/api/src/cli.js');

/** Runs the CLI while the product is running, as a maintainer does. */
export async function nimo(
  dataDir: string,
  ...parameters: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [CLI, ...parameters], {
    env: { ...process.env, NIMO_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
