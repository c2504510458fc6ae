import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../dist/apps/api/src/cli.js');

/** The command line as a maintainer runs it, beside the running product. */
export async function nimo(
  dataDir: string,
  ...words: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { ...process.env, NIMO_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
