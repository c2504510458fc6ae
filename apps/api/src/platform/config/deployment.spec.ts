import { describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { DockerfileParser } from 'dockerfile-ast';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { WORKER_OPTIONS } from '../launcher/supervised-process.js';
import { formerNames, registry } from './registry.js';

/** Validates deployment files against their schemas, the settings and each other, since tests have no Docker engine. */
const ROOT = join(import.meta.dirname, '../../../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const require = createRequire(import.meta.url);

const COMPOSE_SCHEMA =
  require.resolve('schemastore/schemas/json/raw.githubusercontent.com/compose-spec/compose-spec/master/schema/compose-spec.json');
const WORKFLOW_SCHEMA = require.resolve('schemastore/schemas/json/github-workflow.json');

/** Accepts Compose's merge tags. */
const yaml = (path: string): unknown =>
  parse(read(path), {
    merge: true,
    customTags: ['!override', '!reset'].map((tag) => ({ tag, collection: 'seq' as const })),
  });

const Service = z.looseObject({
  image: z.string().optional(),
  build: z.string().optional(),
  restart: z.string().optional(),
  environment: z.record(z.string(), z.string().nullable()).optional(),
  healthcheck: z
    .object({ test: z.array(z.string()).min(2) })
    .loose()
    .optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
});
const compose = z
  .looseObject({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) })
  .parse(yaml('docker-compose.yml'));
const services = Object.entries(compose.services);
const own = services.filter(([, { build }]) => build !== undefined);
const known = new Map(Object.values(registry).map((setting) => [setting.env, setting]));

function problemsOf(schema: string, document: unknown): unknown {
  const { $schema: _draft, ...rules } = z
    .looseObject({ $schema: z.string() })
    .parse(JSON.parse(readFileSync(schema, 'utf8')));
  const ajv = new Ajv2019({ strict: false, validateFormats: false, logger: false });
  // Both drafts work as 2019-09; one still uses `id` of old drafts.
  const validate = ajv.removeKeyword('id').compile(rules);
  return validate(document) ? [] : validate.errors;
}

describe('the compose files', () => {
  it.each(['docker-compose.yml', 'deploy/compose.production.yml', 'deploy/compose.contracts.yml'])(
    '%s match the Compose schema',
    (path) => {
      expect(problemsOf(COMPOSE_SCHEMA, yaml(path))).toEqual([]);
    },
  );

  it('pin the release of each image, and its digest where known', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    expect(images.length).toBeGreaterThan(5);
    for (const image of images) expect(image).toMatch(/:(RELEASE\.\d{4}-|v?\d+\.\d+)/);
    const withoutDigest = images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image));
    expect(withoutDigest).toEqual(['kurrentplatform/kurrentdb:25.1.0']);
  });

  it('run the event store with TLS, a password and a certificate its clients verify', () => {
    const store = compose.services['eventstore']?.environment ?? {};
    expect(Object.keys(store).filter((name) => name.includes('INSECURE'))).toEqual([]);
    expect(store['KURRENTDB_DEFAULT_ADMIN_PASSWORD']).toMatch(/^\$\{EVENTSTORE_PASSWORD:\?/);
    expect(store['KURRENTDB_DEFAULT_OPS_PASSWORD']).toMatch(/^\$\{EVENTSTORE_PASSWORD:\?/);
    for (const [, { environment = {}, volumes = [] }] of own) {
      const address = new URL(String(environment['EVENTSTORE_URL']).replace(/\$\{[^}]*\}/, 'password'));
      expect(address.searchParams.get('tls')).toBe('true');
      expect(address.searchParams.get('tlsVerifyCert')).toBeNull();
      const authority = address.searchParams.get('tlsCAFile') ?? '';
      expect(volumes).toContain(`eventstore-authority:${dirname(authority)}:ro`);
    }
  });

  it('pass every setting and no unknown one to the processes', () => {
    // The files set DRAIN_SECONDS themselves.
    const former = Object.values(formerNames).filter((name) => name !== formerNames['DRAIN_SECONDS']);
    expect(own.map(([name]) => name).sort()).toEqual(['api', 'prepare', 'worker']);
    for (const [, { environment = {} }] of own)
      expect(Object.keys(environment).sort()).toEqual([...known.keys(), ...former].sort());
  });

  it('have no default for a secret', () => {
    const secret = /KEY|SECRET|PASSWORD|TOKEN/;
    for (const [, { environment = {} }] of services)
      for (const [name, value] of Object.entries(environment))
        // A setting that names a file holds no secret.
        if (secret.test(name) && !name.endsWith('_FILE') && value !== null)
          expect(value).toMatch(/^\$\{[A-Z0-9_]+:\?.+\}$/);
    expect(read('docker-compose.yml')).not.toMatch(/\$\{[A-Z0-9_]*(KEY|SECRET|PASSWORD|TOKEN)[A-Z0-9_]*:?-/);
  });

  it('give the database owner’s credentials only to the preparation', () => {
    const addresses = Object.fromEntries(
      own.map(([name, { environment = {} }]) => [name, environment['DATABASE_URL']?.split(':')[1]]),
    );
    expect(addresses).toEqual({ prepare: '//nimo', api: '//nimo_api', worker: '//nimo_worker' });
    const owners = own.filter(([, { environment = {} }]) => environment['DATABASE_OWNER_URL'] !== '');
    expect(owners.map(([name]) => name)).toEqual(['prepare']);
  });

  it('have a health check for every permanent service', () => {
    const permanent = services.filter(([, { restart }]) => restart === 'unless-stopped');
    expect(permanent.length).toBeGreaterThan(6);
    const withoutHealthCheck = permanent.filter(([, { healthcheck }]) => healthcheck === undefined);
    expect(withoutHealthCheck.map(([name]) => name)).toEqual([]);
  });

  it('declare the volumes they mount', () => {
    const mounted = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => !source.startsWith('.'));
    expect([...new Set(mounted)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('publish only the proxy, on loopback', () => {
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['proxy']);
    for (const port of compose.services['proxy']?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('run the worker with the options of npm start, like the benchmark', () => {
    const { command } = z.object({ command: z.array(z.string()) }).parse(compose.services['worker']);
    expect(command).toEqual(expect.arrayContaining(WORKER_OPTIONS));
    const { scripts } = z
      .object({ scripts: z.object({ bench: z.string() }) })
      .parse(JSON.parse(read('package.json')));
    for (const option of WORKER_OPTIONS) expect(scripts.bench).toContain(option);
  });

  it('have their required variables documented', () => {
    const required = [...read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
    for (const name of new Set(required)) expect(read('docs/deploying.md')).toContain(`\`${name}\``);
  });
});

describe('the Dockerfile', () => {
  const file = DockerfileParser.parse(read('Dockerfile'));
  const stages = file.getFROMs();

  it('builds in one stage and runs in another, from the same pinned image', () => {
    expect(stages).toHaveLength(2);
    expect(new Set(stages.map((from) => from.getImage())).size).toBe(1);
    expect(stages[0]?.getImage()).toMatch(/^node:22\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}$/);
  });

  it('installs locked dependencies and prunes development ones', () => {
    const runs = file.getInstructions().filter((each) => each.getKeyword() === 'RUN');
    const text = runs.map((each) => each.getArgumentsContent() ?? '').join('\n');
    expect(text).toContain('npm ci');
    expect(text).toContain('npm prune --omit=dev');
  });

  it('does not run as root', () => {
    const users = file.getInstructions().filter((each) => each.getKeyword() === 'USER');
    expect(users.at(-1)?.getArgumentsContent()).toBe('node');
  });

  it('starts files that the build emits', () => {
    const commands = own.map(([, service]) =>
      z
        .array(z.string())
        .parse(service['command'])
        .find((word) => word.startsWith('dist/')),
    );
    expect(commands).toEqual([
      'dist/apps/api/src/cli.js',
      'dist/apps/api/src/main.js',
      'dist/apps/api/src/worker.js',
    ]);
    for (const command of commands)
      expect(() =>
        read((command ?? '').replace(/^dist\/apps\/api\/src\/(.*)\.js$/, 'apps/api/src/processes/$1.ts')),
      ).not.toThrow();
  });
});

describe('the CI workflow', () => {
  it.each([
    ['EVENTSTORE_TEST_URL', 'libs/event-store/src/eventstoredb/eventstoredb-event-store.slow-spec.ts'],
    ['S3_TEST_ENDPOINT', 'apps/api/src/platform/adapters/files/file-store.spec.ts'],
    ['TYPESENSE_URL', 'libs/search/src/search-contract.int-spec.ts'],
  ])('sets the variables of the contract suites: %s', (name, suite) => {
    expect(read(suite)).toContain(name);
    expect(read('.github/workflows/ci.yml')).toContain(` ${name}: `);
  });

  it('matches its schema', () => {
    expect(problemsOf(WORKFLOW_SCHEMA, yaml('.github/workflows/ci.yml'))).toEqual([]);
  });

  it('pins each action by commit, since tags can move', () => {
    const actions = [...read('.github/workflows/ci.yml').matchAll(/uses: (\S+)/g)].map(
      ([, action]) => action,
    );
    expect(actions.length).toBeGreaterThan(3);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('runs .ci/run on the supported Node versions', () => {
    const { jobs } = z
      .object({
        jobs: z.object({
          test: z.looseObject({
            strategy: z.looseObject({ matrix: z.object({ node: z.array(z.number()) }) }),
            steps: z.array(z.looseObject({ run: z.string().optional() })),
          }),
        }),
      })
      .parse(yaml('.github/workflows/ci.yml'));
    expect(jobs.test.strategy.matrix.node).toEqual([20, 22, 24]);
    expect(jobs.test.steps.map(({ run }) => run)).toContain('.ci/run');
  });
});
