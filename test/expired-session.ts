import { SessionStore } from '../apps/api/src/platform/auth/session-store.js';
import type { TestApp } from './app.js';

/** A token that expires before its first use, because the API caches sessions for some seconds. */
export async function expiredToken(app: TestApp, studentId: string): Promise<string> {
  const sessions = app.api.get(SessionStore, { strict: false });
  const token = await sessions.open(studentId, { remember: false, address: '', userAgent: '' });
  await app.pool.query(
    `update state.session set expires_at = now() - interval '1 second' where student_id = $1`,
    [studentId],
  );
  return token;
}
