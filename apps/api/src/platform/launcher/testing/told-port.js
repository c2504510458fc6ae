import { once } from 'node:events';
import process from 'node:process';

/** As told-to-begin.ts: the port of the launcher's message, or of the environment where the program was started again. */
export async function toldPort() {
  if (process.argv[2] !== 'when-told') return Number(process.env.PORT);
  const [{ begin }] = await once(process, 'message');
  return begin.port;
}
