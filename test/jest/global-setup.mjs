import '../../scripts/typescript.mjs';

/** One PostgreSQL for all spec files of a run, unless NIMO_TEST_ADMIN_URL names one already. */
export default async function setUp() {
  const { startTestServer } = await import('../servers/test-server.ts');
  globalThis.nimoTestServer = await startTestServer();
}
