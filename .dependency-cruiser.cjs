/** Enforces the layers of docs/decisions/layers.md and the folders within them. */
const serverPackages = '^(apps/api|libs)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-domain',
      comment: 'The domain imports no other package of ours and no framework; zod describes shapes.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: 'spec\\.ts$|/testing/' },
      to: {
        path: '^(libs/(?!domain/)|apps/|node_modules/|node:)|^(fs|crypto|path|timers)$',
        pathNot: '^node_modules/(zod|uuid)/',
      },
    },
    {
      name: 'event-store-independence',
      severity: 'error',
      from: { path: '^libs/event-store/' },
      to: { path: '^(libs/(domain|projection-engine|projections|rich-text|search)|apps)/' },
    },
    {
      name: 'projection-engine-independence',
      comment: 'The engine works with any events.',
      severity: 'error',
      from: { path: '^libs/projection-engine/' },
      to: { path: '^(libs/(domain|projections|rich-text|search)|apps)/' },
    },
    {
      name: 'rich-text-dependencies',
      severity: 'error',
      from: { path: '^libs/rich-text/' },
      to: { path: '^(libs/(?!domain/|rich-text/|testing/)|apps/)' },
    },
    {
      name: 'no-search-in-projections',
      comment: 'Search reads what the projections write, not vice versa.',
      severity: 'error',
      from: { path: '^libs/projections/' },
      to: { path: '^libs/search/' },
    },
    {
      name: 'library-independence',
      comment:
        'Includes specs and fixtures: shared ones are in `libs/testing` and in the `testing.ts` of a library.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|test|bench|e2e)/' },
    },
    {
      name: 'no-server-in-web',
      severity: 'error',
      from: { path: '^apps/web/' },
      // Specs share the random inputs of the server specs.
      to: { path: serverPackages, pathNot: '^libs/testing/src/(fast-check|seed)\\.ts$' },
    },
    {
      name: 'no-web-in-server',
      severity: 'error',
      from: { path: serverPackages },
      to: { path: '^apps/web/' },
    },
    {
      name: 'package-entry-points',
      comment: 'Packages import each other only through index.ts (or testing.ts).',
      severity: 'error',
      from: { path: '^(libs/[^/]+|apps/api)/' },
      to: { path: '^libs/([^/]+)/src/', pathNot: ['^$1/', '^libs/[^/]+/src/(index|testing)\\.ts$'] },
    },
    {
      name: 'read-model-isolation',
      comment: 'Read models are independent; shared code is next to their folders.',
      severity: 'error',
      from: {
        path: '^libs/projections/src/([^/]+)/',
        // `history` reuses the folds and views of the live read models, and the effect of a case is calculated by the leaderboard's scoring,
        // that of an act of the audit from the history.
        pathNot:
          '^libs/projections/src/(testing|history)/|^libs/projections/src/(patterns/invalidation-effect|audit/act-effects)|spec\\.ts$',
      },
      to: {
        path: '^libs/projections/src/[^/]+/',
        pathNot: [
          '^libs/projections/src/$1/',
          // Exceptions: tables joined by queries of other read models.
          '^libs/projections/src/[^/]+/[^/]+\\.(table|tables|view)\\.ts$',
          // Names of people and spaces are joined on read, never copied.
          '^libs/projections/src/(students|spaces)/(students|spaces)\\.queries\\.ts$',
        ],
      },
    },
    {
      name: 'api-feature-isolation',
      comment: 'A feature uses another through its module, types, inputs or access rules, not its commands.',
      severity: 'error',
      // Imports and the demo act as users of every feature and issue all commands.
      from: {
        path: '^apps/api/src/features/([^/]+)/',
        pathNot: 'spec\\.ts$|/testing/|^apps/api/src/features/(imports|demo)/',
      },
      to: {
        path: '^apps/api/src/features/[^/]+/commands/',
        pathNot: [
          '^apps/api/src/features/$1/',
          // Exception: students decide who can be blocked; the page about a student issues the command.
          '^apps/api/src/features/students/commands/block-student\\.ts$',
        ],
      },
    },
    {
      name: 'no-features-in-platform',
      severity: 'error',
      from: { path: '^apps/api/src/platform/', pathNot: 'spec\\.ts$' },
      to: { path: '^apps/api/src/features/' },
    },
    {
      name: 'web-layers',
      comment: 'lib, components → features → screens → app',
      severity: 'error',
      from: { path: '^apps/web/src/(lib|components)/' },
      to: { path: '^apps/web/src/(features|screens|app)/' },
    },
    {
      name: 'no-screens-in-features',
      severity: 'error',
      from: { path: '^apps/web/src/features/' },
      to: { path: '^apps/web/src/(screens|app)/' },
    },
    {
      name: 'descriptive-file-names',
      comment: 'Disallows utils, helpers, common and base.',
      severity: 'error',
      from: {},
      to: { path: '^(apps|libs)/.*/(utils|util|helpers|helper|common|base)(\\.|/)' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { pathNot: '(spec\\.tsx?$|/testing/|testing\\.ts$|^test/|^e2e/|^bench/)' },
      to: { path: '(spec\\.tsx?$|^test/|^libs/testing/|/testing\\.ts$)' },
    },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      from: { pathNot: '^bench/' },
      // Jest provides its globals.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/@jest/globals/' },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs'],
    },
  },
};
