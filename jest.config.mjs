// Suites by suffix: .spec.ts needs nothing, .int-spec.ts PostgreSQL, .e2e-spec.ts the API over GraphQL, .spec.tsx a DOM.
const swc = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx, decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
      keepClassNames: true,
      // JSON loads only with an import attribute.
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

const node = (displayName, testMatch, extra = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  // Spec files share a process and its modules, because reloading modules took longer than the tests. See docs/decisions/tests.md.
  runner: '<rootDir>/test/jest/spec-runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/jest/spec-process.mjs'],
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/bench/.*/node_modules/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': swc(false) },
  moduleNameMapper: {
    '^@nimo/(event-store|projection-engine|projections|rich-text|search)/testing$':
      '<rootDir>/libs/$1/src/testing.ts',
    '^@nimo/(domain|event-store|projection-engine|projections|rich-text|search|testing)$':
      '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...extra,
});

const postgres = {
  globalSetup: '<rootDir>/test/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/jest/global-teardown.mjs',
};

const dom = {
  // Each spec file gets its own document and modules.
  runner: 'jest-runner',
  testEnvironment: '<rootDir>/test/jest/browser-environment.mjs',
  testEnvironmentOptions: {
    customExportConditions: ['browser'],
    // Nothing is loaded from a network. Scripts do not run by default.
    settings: {
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
      disableIframePageLoading: true,
    },
  },
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.graphql'],
  setupFilesAfterEnv: ['<rootDir>/test/jest/browser-setup.mjs'],
  transform: { '^.+\\.tsx?$': swc(true), '\\.graphql$': '<rootDir>/test/jest/graphql-call.mjs' },
  moduleNameMapper: {
    '^(.+\\.graphql)\\?call$': '$1',
    '\\.(css|svg)(\\?.*)?$': '<rootDir>/test/jest/empty-module.mjs',
    // For specs that follow a body from browser to server: see test/stored-body.ts.
    '^@nimo/domain$': '<rootDir>/libs/domain/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

export default {
  // The test database server has connections for two specs at a time.
  maxWorkers: 2,
  // Jest leaks much of what spec files load; an old worker would spend its time on garbage collection.
  workerIdleMemoryLimit: '1GB',
  // Only catches hanging tests: a busy machine must not fail one.
  testTimeout: 300_000,
  projects: [
    node('unit', ['<rootDir>/{libs,apps/api,test}/**/*.spec.ts']),
    node('integration', ['<rootDir>/{libs,apps/api,test}/**/*.int-spec.ts'], postgres),
    node('api', ['<rootDir>/{apps/api,test}/**/*.e2e-spec.ts'], postgres),
    // Only `npm run test:all` runs these two.
    node('slow', ['<rootDir>/{libs,apps/api,test}/**/*.slow-spec.ts'], postgres),
    node('faults', ['<rootDir>/test/faults/**/*.fault-spec.ts'], {
      runner: 'jest-runner',
      testEnvironment: 'node',
      setupFilesAfterEnv: ['<rootDir>/test/faults/retry.mjs'],
    }),
    node('web', ['<rootDir>/apps/web/**/*.spec.{ts,tsx}'], dom),
  ],
};
