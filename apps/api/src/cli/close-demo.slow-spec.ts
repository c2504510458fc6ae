import { mkdtemp, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assertDemoIsClosed,
  DEMO_MAINTAINER,
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  demoStudentId,
} from '../features/demo/demo-accounts.js';
import { SeedDemo } from '../features/demo/seed-demo.js';
import { Invitations } from '../features/invitations/invitations.js';
import { environmentOf, Installations } from '../features/imports/testing/import-session.fixture.js';
import { Credentials } from '../platform/auth/credentials.js';
import { SessionStore } from '../platform/auth/session-store.js';
import { loadSettings } from '../platform/config/load-settings.js';
import { withSession, withProjections, type CliSession } from './cli-session.js';
import { closeDemo } from './demo.command.js';

const ROOT = join(import.meta.dirname, '../../../..');
const GATEWAYS = {
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hush',
  TWILIO_FROM: '+1555',
  SMTP_URL: 'smtp://127.0.0.1:9',
};
const installations = new Installations();
let production: Record<string, string>;
let seeded: readonly string[];
let dataDir: string;

const inProduction = <Result>(work: (session: CliSession) => Promise<Result>): Promise<Result> =>
  withSession(work, loadSettings(production));

/** Starts the API or the worker from source. */
async function start(program: 'main' | 'worker'): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--import', './scripts/typescript.mjs', `apps/api/src/processes/${program}.ts`],
    { cwd: ROOT, env: { PATH: process.env['PATH'], ...production }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

beforeAll(async () => {
  const { url } = await installations.create();
  dataDir = await mkdtemp('/tmp/nimo-demo-');
  const development = { ...environmentOf(url), NIMO_DATA_DIR: dataDir, PORT: '0' };
  // Seeding twice must be harmless.
  seeded = await withSession(
    ({ container, runtime }) =>
      withProjections(runtime, async () => {
        const seed = container.get(SeedDemo, { strict: false });
        return [await seed.run(), await seed.run()];
      }),
    loadSettings(development),
  );
  const logKey = Buffer.alloc(32, 'l').toString('base64');
  const PUBLIC_URL = 'https://nimo.example';
  production = { ...development, ...GATEWAYS, PUBLIC_URL, NODE_ENV: 'production', LOG_SIGNING_KEY: logKey };
});
afterAll(async () => {
  await installations.drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('seed-demo', () => {
  it('prints an invitation link and a class code, and the same ones when repeated', async () => {
    const [first, again] = seeded;
    expect(again).toBe(first);
    expect(first).toMatch(/^Invitations to Science Fair Crew:$/m);
    const link = /^ {2}link +\/join#([\w-]{43})$/m.exec(first ?? '')?.[1];
    const code = /^ {2}class code +\/join\/([ACDEFHJKMNPRTVWXY3479]{6})$/m.exec(first ?? '')?.[1];
    await withSession(
      async ({ container }) => {
        const invitations = container.get(Invitations, { strict: false });
        for (const secret of [link, code])
          expect(await invitations.find(secret ?? '', demoStudentId('asha'))).toEqual({
            id: expect.any(String),
            spaceId: expect.any(String),
          });
      },
      loadSettings({ ...production, NODE_ENV: 'development' }),
    );
  });
});

describe('demo accounts in production', () => {
  it('prevent the start while the demo password works, until close-demo removes it', async () => {
    for (const program of ['main', 'worker'] as const) {
      const { code, stderr } = await start(program);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^(api|worker): Demo accounts can sign in .+sam_admin.+nimo -- close-demo/),
      ]);
    }
    const token = await inProduction(({ container }) =>
      container
        .get(SessionStore, { strict: false })
        .open(demoStudentId(DEMO_MAINTAINER), { remember: true, address: '127.0.0.1', userAgent: '' }),
    );
    expect(token).not.toBe('');

    // Commands read the settings of the process.
    const environment = process.env;
    process.env = { ...environment, ...production };
    try {
      await closeDemo({ json: true });
      await closeDemo({});
    } finally {
      process.env = environment;
    }

    await inProduction(async ({ runtime, container }) => {
      await assertDemoIsClosed(runtime);
      const credentials = container.get(Credentials, { strict: false });
      for (const { userName } of DEMO_PEOPLE)
        expect(await credentials.matches(demoStudentId(userName), DEMO_PASSWORD)).toBe(false);
      const { rows } = await runtime.pool.query(
        `select (select count(*)::int from state.session) as sessions, (select count(*)::int from read.student_roles) as roles,
           (select count(*)::int from read.students where not is_blocked) as unblocked`,
      );
      expect(rows).toEqual([{ sessions: 0, roles: 0, unblocked: 0 }]);
    });
  });

  it('do not prevent the start once their owner has changed the password', async () => {
    await inProduction(async ({ runtime, container }) => {
      const credentials = container.get(Credentials, { strict: false });
      await credentials.set(demoStudentId(DEMO_MAINTAINER), DEMO_PASSWORD);
      await expect(assertDemoIsClosed(runtime)).rejects.toThrow(`(${DEMO_MAINTAINER})`);
      await credentials.set(demoStudentId(DEMO_MAINTAINER), 'a password of my own');
      await assertDemoIsClosed(runtime);
    });
  });
});
