import { SessionStore } from '../apps/api/src/platform/auth/session-store.js';
import type { Runtime } from '../apps/api/src/platform/runtime/runtime.js';
import { closeRuntime } from '../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from './bench-context.js';
import { type Cast, loadCast } from './community/cast.js';
import { communityDatabase, openBenchRuntime } from './community/community-database.js';
import { type Child, startBenchProgram, startProgram } from './programs/children.js';

const SIGNED_IN = 64;

/** The built API and worker on the community database, and a plain server for comparison. */
export interface RunningProduct {
  readonly url: string;
  /** Process id of the API. */
  readonly pid: number;
  readonly bareUrl: string;
  readonly cast: Cast;
  readonly signedIn: readonly { readonly studentId: string; readonly token: string }[];
  /** The same database, for access that bypasses the API. */
  readonly runtime: Runtime;
}

export async function withProduct<T>(
  context: BenchContext,
  work: (product: RunningProduct) => Promise<T>,
  options: { readonly database?: string; readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const database = options.database ?? (await communityDatabase(context));
  const runtime = await openBenchRuntime(context, database);
  const children: Child[] = [];
  try {
    const cast = await loadCast(runtime.pool);
    const signedIn = await signIn(runtime, cast.students.slice(0, SIGNED_IN));
    const environment = { ...context.server.environment(database), ...options.settings };
    children.push(await startProgram('worker', environment));
    const api = await startProgram('main', environment);
    children.push(api);
    const bare = await startBenchProgram('bare-server', [context.server.url(database)]);
    children.push(bare);
    await context.server.settle();
    return await work({
      url: `http://127.0.0.1:${api.port}`,
      pid: api.pid,
      bareUrl: `http://127.0.0.1:${bare.port}`,
      cast,
      signedIn,
      runtime,
    });
  } finally {
    for (const child of children.toReversed()) await child.stop();
    await runtime.pool.query('drop table if exists public.bare');
    await closeRuntime(runtime);
  }
}

/** Opens sessions without a password, because argon2 is not measured here. */
export async function signIn(
  { pool, messages }: Runtime,
  studentIds: readonly string[],
): Promise<RunningProduct['signedIn']> {
  const sessions = new SessionStore(pool, messages);
  return Promise.all(
    studentIds.map(async (studentId) => ({
      studentId,
      token: await sessions.open(studentId, { remember: false, address: '127.0.0.1', userAgent: 'bench' }),
    })),
  );
}
