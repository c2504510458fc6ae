import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SERVER = 'apps/api/src/features/news';
const WEB = 'apps/web/src/features/voting';

const HIDDEN = 'const go = () => Promise.resolve(1);\n';
const SUBSCRIPTION = "import { useSubscription } from '@apollo/client/react';\nuseSubscription();";
const POOL = "import pg from 'pg';\nexport const pool = new pg.Pool();";
const SOCKET = "import { Socket } from 'node:net';\n";

/** Files with the rule that rejects each. */
const CASES: readonly (readonly [path: string, code: string, rule: string | undefined])[] = [
  [`${WEB}/hook.ts`, SUBSCRIPTION, 'eslint(no-restricted-imports)'],
  [`${WEB}/all.ts`, "import * as a from '@apollo/client/react';\na.use();", 'eslint(no-restricted-imports)'],
  [`${WEB}/call.ts`, 'client.subscribe({});', 'nimo(bare-subscription)'],
  ['apps/web/src/screens/news/news-screen.tsx', SUBSCRIPTION, 'eslint(no-restricted-imports)'],
  ['apps/web/src/screens/news/news-call.tsx', 'apollo.subscribe({});', 'nimo(bare-subscription)'],
  ['apps/web/src/lib/api/live.ts', `${SUBSCRIPTION}\nclient.subscribe({});`, undefined],
  [`${SERVER}/timer.ts`, `${HIDDEN}setTimeout(() => void go(), 1);`, 'nimo(unguarded-listener)'],
  [`${SERVER}/listener.ts`, `${HIDDEN}it.on('end', () => { void go(); });`, 'nimo(unguarded-listener)'],
  [
    `${SERVER}/option.ts`,
    `${HIDDEN}export const x = { onEnd: () => void go() };`,
    'nimo(unguarded-listener)',
  ],
  [`${SERVER}/caught.ts`, `${HIDDEN}setTimeout(() => void go().catch(() => 1), 1);`, undefined],
  [`${SERVER}/timer.spec.ts`, `${HIDDEN}setTimeout(() => void go(), 1);`, undefined],
  ['libs/projections/src/pool.ts', POOL, 'nimo(open-connection)'],
  [`${SERVER}/client.ts`, "import pg from 'pg';\nexport const c = new pg.Client();", 'nimo(open-connection)'],
  [`${SERVER}/client.int-spec.ts`, POOL, 'nimo(open-connection)'],
  ['libs/event-store/src/postgres/connections.ts', POOL, undefined],
  [`${SERVER}/type.ts`, `${SOCKET}export type S = Socket;`, 'nimo(type-import)'],
  [`${SERVER}/value.ts`, `${SOCKET}export const s: Socket = new Socket();`, undefined],
  [
    `${SERVER}/decorated.ts`,
    `${SOCKET}@mark\nexport class A { constructor(readonly s: Socket) {} }`,
    undefined,
  ],
  ['libs/domain/src/type.ts', `${SOCKET}export type S = Socket;`, 'typescript(consistent-type-imports)'],
  ['libs/domain/src/hash.ts', 'export class A {\n  #a = 1;\n  b = () => this.#a;\n}', 'nimo(private-name)'],
  [`${SERVER}/uppercase.ts`, 'export const sql = `SELECT 1`;', 'nimo(sql-case)'],
  [`${SERVER}/begin.ts`, "await pool.query('BEGIN');", 'nimo(sql-case)'],
  [`${SERVER}/lowercase.ts`, "export const sql = 'select 1';\nexport const SELECT = 'SELECT';", undefined],
  ['libs/domain/src/floating.spec.ts', `${HIDDEN}go();`, 'typescript(no-floating-promises)'],
];

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

describe('project lint rules', () => {
  let folder: string;
  let diagnostics: Report['diagnostics'];

  beforeAll(() => {
    const root = process.cwd();
    folder = mkdtempSync(join(tmpdir(), 'nimo-lint-'));
    for (const file of ['.oxlintrc.json', 'scripts/lint-rules.mjs'])
      cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, code] of CASES) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      ['--format', 'json', 'apps', 'libs'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    ({ diagnostics } = JSON.parse(stdout) as Report);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const codesOf = (path: string): readonly string[] =>
    diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);

  it.each(CASES.filter(([, , rule]) => rule !== undefined))('reject %s', (path, _code, rule) => {
    expect(codesOf(path)).toContain(rule);
  });

  it.each(CASES.filter(([, , rule]) => rule === undefined))('allow %s', (path) => {
    expect(codesOf(path).filter((code) => code.startsWith('nimo') || code.includes('import'))).toEqual([]);
  });
});
