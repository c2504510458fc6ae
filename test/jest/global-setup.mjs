import '../../scripts/typescript.mjs';

/** Starts one PostgreSQL server for all spec files of a run, unless NIMO_TEST_ADMIN_URL is set. */
export default async function setUp() {
  const { startTestServer } = await import('../servers/test-server.ts');
  globalThis.nimoTestServer = await startTestServer();
}
