import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// What the product must not do; specs may be laxer where it only concerns their own data.
const product = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-confusing-void-expression': [
    'error',
    { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
  ],
  // An in-memory answer to an interface of promises is async without waiting for anything.
  '@typescript-eslint/require-await': 'off',
  // Nest and pg describe plain options as classes.
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
  // Text is counted and cut by code point.
  '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
  // Nest's modules are classes whose whole content is their decorator.
  '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
  // Classes with decorators name GraphQL types and Nest's options; what is handed over are plain objects of their shape.
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
  'no-console': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  // A switch over all kinds is one decision.
  complexity: ['error', { max: 15, variant: 'modified' }],
  'max-depth': ['error', 4],
};

// Who calls a listener catches nothing, so that a rejection of it is nobody's. An async listener is refused by no-misused-promises; `void` would
// hide the same. Decision 116.
const LISTENS = 'on|once|addListener|prependListener|addEventListener';
const HIDDEN =
  "ArrowFunctionExpression UnaryExpression[operator='void'] > CallExpression:not([callee.property.name='catch'])";
const unguarded = [
  `CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/] > ${HIDDEN}`,
  `CallExpression[callee.property.name=/^(${LISTENS})$/] > ${HIDDEN}`,
  `Property[key.name=/^on[A-Z]/] > ${HIDDEN}`,
].map((selector) => ({
  selector,
  message: 'What a listener leaves undone must have somebody who knows: `guarded(…)`, or `.catch(…)`.',
}));

// `pg` hears errors of idle connections only.
const unheard = {
  selector: "NewExpression[callee.object.name='pg'][callee.property.name=/^(Pool|Client)$/]",
  message: 'A connection that breaks must not end the process: `openPool(…)` or `newClient(…)`.',
};
const CONNECTIONS = 'libs/event-store/src/postgres/connections.ts';

// A bare subscription misses what happens before the api listens and while the socket is down.
const MISSED = 'Signals are missed without `useLive(…)` of `lib/live.ts`.';
const deaf = {
  group: ['@apollo/client', '@apollo/client/*'],
  importNamePattern: 'Subscription$',
  message: MISSED,
};
const deafCall = {
  selector: "CallExpression[callee.object.name=/^(client|apollo)$/][callee.property.name='subscribe']",
  message: MISSED,
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'data/**',
      'coverage/**',
      'apps/web/src/generated/**',
      'apps/api/src/generated/**',
      'test-results/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['{apps/api,libs,e2e,test,bench}/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: product,
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: {
      globals: globals.browser,
      parserOptions: { project: './apps/web/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...product,
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    ignores: ['apps/web/src/lib/live.ts', '**/*.spec.{ts,tsx}'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [deaf] }],
      'no-restricted-syntax': ['error', deafCall],
    },
  },
  {
    files: ['**/*spec.{ts,tsx}', '**/testing/**/*.{ts,tsx}', '{test,e2e,bench}/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      complexity: 'off',
    },
  },
  {
    files: ['{apps/api,libs}/**/*.ts'],
    ignores: ['**/*{spec,contract}.ts', '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', ...unguarded, unheard] },
  },
  { files: [CONNECTIONS], rules: { 'no-restricted-syntax': ['error', ...unguarded] } },
  {
    files: ['bench/**/*.ts', 'scripts/**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: { ...globals.node, ...globals.browser },
      ecmaVersion: 2023,
      sourceType: 'module',
    },
    rules: { eqeqeq: 'error', 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
);
