import { once } from 'node:events';
import process from 'node:process';

/** Like run-process.ts: the port of the parent's message, or of the environment after a restart. */
export async function portFromParent() {
  if (process.argv[2] !== 'waits-for-parent') return Number(process.env.PORT);
  const [{ begin }] = await once(process, 'message');
  return begin.port;
}
