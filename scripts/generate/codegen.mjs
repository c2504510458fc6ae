// Generates the web client's types and documents from the SDL and the .graphql files next to the components, and the catalogue of API
// error messages for translators.
import '../typescript.mjs';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { Kind, OperationTypeNode, parse } from 'graphql';
import { sentDocument } from '../sent-document.mjs';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'apps/web/src');
const out = join(source, 'generated/');

const documents = readdirSync(source, { recursive: true })
  .filter((file) => file.endsWith('.graphql'))
  .sort()
  .map((location) => {
    const rawSDL = readFileSync(join(source, location), 'utf8');
    return { location, rawSDL, document: parse(rawSDL) };
  });

const sections = await preset.buildGeneratesSection({
  baseOutputDir: out,
  schema: parse(readFileSync(join(root, 'apps/api/schema.graphql'), 'utf8')),
  documents,
  presetConfig: { fragmentMasking: false },
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    scalars: { ID: 'string', DateTime: 'string', Phone: { input: 'string | number', output: 'string' } },
  },
  plugins: [],
  pluginMap: {},
});
// Documents are imported by name; the preset's string-keyed `graphql()` map would only add to every chunk.
const documentsFile = sections.find(({ filename }) => filename.endsWith('/graphql.ts'));
const generated = (await codegen(documentsFile)).split('\n');
const isDocument = (line) => line.startsWith('export const ');

// One module per .graphql file: a chunk contains only the documents of its own screens, so students do not load those of staff.
const modules = documents.map(({ location, document }) => {
  const names = new Set(document.definitions.map(({ name }) => name.value));
  const lines = generated.filter(
    (line) => isDocument(line) && names.has(/^export const (\w+?)(?:Document|FragmentDoc) =/.exec(line)?.[1]),
  );
  const types = lines.flatMap((line) => /DocumentNode<([^>]+)>;$/.exec(line)?.[1].split(', ') ?? []);
  const named = [...new Set(types)].filter((type) => type !== 'unknown');
  const text = [
    "import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';",
    `import type { ${named.join(', ')} } from '../graphql';`,
    '',
    ...lines,
    '',
  ].join('\n');
  return { name: basename(location, '.graphql'), text };
});
rmSync(join(out, 'documents'), { recursive: true, force: true });
mkdirSync(join(out, 'documents'), { recursive: true });
for (const { name, text } of modules) writeFileSync(join(out, 'documents', `${name}.ts`), text);
writeFileSync(
  documentsFile.filename,
  [
    ...generated.filter((line) => !isDocument(line) && !line.startsWith('import ')),
    ...modules.map(({ name }) => `export * from './documents/${name}';`),
    '',
  ].join('\n'),
);

// For translators. The app never loads these messages: the API sends them with its errors.
const { ERROR_CATALOGUE } = await import('../../libs/domain/src/messages.ts');
const catalogues = join(source, 'i18n/en');
const messages = Object.entries(ERROR_CATALOGUE).map(([code, { message }]) => [
  code,
  message.replace(/\{(\w+)\}/g, '{{$1}}'),
]);
writeFileSync(
  join(catalogues, 'errors.json'),
  `${JSON.stringify({ errors: Object.fromEntries(messages) }, null, 2)}\n`,
);

// The English texts as a type, from which i18next infers keys and variables.
const texts = ['first-load', 'app', 'staff', 'errors'].map((name) =>
  readFileSync(join(catalogues, `${name}.json`), 'utf8').trim(),
);
writeFileSync(
  join(out, 'english.d.ts'),
  `/** English texts by namespace and key. */\nexport type English = ${texts.join(' & ')};\n`,
);

// The event types shown in the audit, with their class.
const { VOCABULARY } = await import('../../libs/domain/src/events.ts');
const kinds = Object.entries(VOCABULARY).flatMap(([type, { audit }]) =>
  audit.class === null ? [] : [`  ${type}: '${audit.class}',`],
);
writeFileSync(
  join(out, 'audit-kinds.ts'),
  `import type { AuditClass, AuditKind } from './graphql';\n\n/** Audit class of each event type. */\nexport const classesOfKinds = {\n${kinds.join('\n')}\n} as const satisfies Readonly<Record<AuditKind, AuditClass>>;\n`,
);

// Operations as the client sends them (with __typename) and their ids. Subscriptions go over a socket as text; the API may accept no others, so
// it needs them too. Imported from the files just written, so that the text is exactly what the client sends.
const written = await Promise.all(
  modules.map(({ name }) => import(pathToFileURL(join(out, 'documents', `${name}.ts`)).href)),
);
const sent = written.flatMap(Object.values).flatMap((document) => {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) return [];
  const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
  return [{ name: operation.name.value, isSubscription, ...sentDocument(document) }];
});
sent.sort((one, other) => (one.name < other.name ? -1 : 1));
const operations = sent.filter(({ isSubscription }) => !isSubscription);
const subscriptions = sent.filter(({ isSubscription }) => isSubscription);
const toLines = (entries) => entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`).join('');
writeFileSync(
  join(out, 'document-ids.ts'),
  `/** Ids of the web app’s operations by name. */\nexport const documentIds: Readonly<Record<string, string>> = {\n${toLines(
    operations.map(({ name, id }) => [name, id]),
  )}};\n`,
);
const forApi = join(root, 'apps/api/src/generated/');
mkdirSync(forApi, { recursive: true });
writeFileSync(
  join(forApi, 'web-documents.ts'),
  `/** Documents of the web app by the IDs it sends. Generated by \`npm run codegen\`. */\nexport const WEB_DOCUMENTS: Readonly<Record<string, string>> = {\n${toLines(
    operations.map(({ id, text }) => [JSON.stringify(id), text]),
  )}};\n\n/** Subscriptions of the web app, which it sends as text. */\nexport const WEB_SUBSCRIPTIONS: Readonly<Record<string, string>> = {\n${toLines(
    subscriptions.map(({ id, text }) => [JSON.stringify(id), text]),
  )}};\n`,
);
