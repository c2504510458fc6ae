// What the web client knows of the api: types and documents, from the SDL and the .graphql files that lie beside their
// components, and the messages of its errors, by which translations are checked.
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
// The documents are imported by name, so the preset's string-keyed `graphql()` map would only weigh down every chunk.
const documentsFile = sections.find(({ filename }) => filename.endsWith('/graphql.ts'));
const generated = (await codegen(documentsFile)).split('\n');
const isDocument = (line) => line.startsWith('export const ');

// One module for each .graphql file: a chunk has the documents of its own screens, and no student those of staff.
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

// Translators find the API's messages beside the other English texts. The app never loads them: they come with the API's answers.
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

// The English texts as a type: i18next takes the keys and the variables of each text from their literals.
const texts = ['first-load', 'app', 'staff', 'errors'].map((name) =>
  readFileSync(join(catalogues, `${name}.json`), 'utf8').trim(),
);
writeFileSync(
  join(out, 'english.d.ts'),
  `/** Every English text by its namespace and key. */\nexport type English = ${texts.join(' & ')};\n`,
);

// Which events the audit tells of, and under what: the screens list them.
const { VOCABULARY } = await import('../../libs/domain/src/events.ts');
const kinds = Object.entries(VOCABULARY).flatMap(([type, { audit }]) =>
  audit.class === null ? [] : [`  ${type}: '${audit.class}',`],
);
writeFileSync(
  join(out, 'audit-kinds.ts'),
  `import type { AuditClass, AuditKind } from './graphql';\n\n/** What the lines of every kind of event are filed under. */\nexport const classesOfKinds = {\n${kinds.join('\n')}\n} as const satisfies Readonly<Record<AuditKind, AuditClass>>;\n`,
);

// The operations as the client sends them, which asks for the type of each object, and the ids by which it names them. Subscriptions go over
// a socket, by their text: the api knows them as well, as it may answer no others.
// Read as they were just written, so that the text is the very same that the client would send.
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
const listed = (entries) => entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`).join('');
writeFileSync(
  join(out, 'document-ids.ts'),
  `/** By which the api knows each operation of the web app, by its name. */\nexport const documentIds: Readonly<Record<string, string>> = {\n${listed(
    operations.map(({ name, id }) => [name, id]),
  )}};\n`,
);
const forApi = join(root, 'apps/api/src/generated/');
mkdirSync(forApi, { recursive: true });
writeFileSync(
  join(forApi, 'web-documents.ts'),
  `/** Documents of the web app by the IDs it sends. Generated by \`npm run codegen\`. */\nexport const WEB_DOCUMENTS: Readonly<Record<string, string>> = {\n${listed(
    operations.map(({ id, text }) => [JSON.stringify(id), text]),
  )}};\n\n/** Subscriptions of the web app, which it sends as text. */\nexport const WEB_SUBSCRIPTIONS: Readonly<Record<string, string>> = {\n${listed(
    subscriptions.map(({ id, text }) => [JSON.stringify(id), text]),
  )}};\n`,
);
