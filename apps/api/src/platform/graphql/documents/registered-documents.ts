import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { Kind, parse, specifiedRules, validate } from 'graphql';
import { z } from 'zod';
import { SettingsError } from '../../config/settings-error.js';
import type { Logger } from '../../logging/logger.js';
import { LOGGER } from '../../config/tokens.js';
import { PARSE_OPTIONS } from './foreign-documents.js';
import { type Documents, KnownDocuments } from './known-documents.js';

const MAX_DOCUMENTS = 2_000;

/** As `@apollo/generate-persisted-query-manifest` writes it. */
const ApolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});
/** As GraphQL Code Generator does (`persistedDocuments`): texts by their hashes. */
const PlainManifest = z.record(z.string(), z.string());

interface Given {
  readonly hash: string;
  readonly text: string;
}

/**
 * The documents of other programs in that folder, by the SHA-256 of each in lower-case hexadecimal digits: `.graphql` files of one operation each, known by the SHA-256 of the file, and manifests.
 * @throws SettingsError where the folder or a file cannot be read, a hash is not that of its text, or a text is no document that would be answered
 */
export function registeredDocuments(folder: string | undefined): Documents {
  if (folder === undefined) return {};
  const given = filesOf(folder).flatMap((name) => {
    const content = textOf(join(folder, name));
    const documents = name.endsWith('.json')
      ? listed(name, content)
      : [{ hash: hashOf(content), text: content }];
    for (const document of documents) check(name, document);
    return documents;
  });
  if (given.length > MAX_DOCUMENTS)
    throw wrong(`holds ${given.length} documents, and at most ${MAX_DOCUMENTS} are read`);
  return Object.fromEntries(given.map(({ hash, text }) => [hash, text]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const wrong = (what: string): SettingsError => new SettingsError(`GRAPHQL_DOCUMENTS_DIR ${what}.`);

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:graphql|json)$/.test(name))
      .sort();
  } catch (cause) {
    throw wrong(`cannot be read: ${reasonOf(cause)}`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw wrong(`has a file that cannot be read: ${reasonOf(cause)}`);
  }
}

function listed(name: string, content: string): Given[] {
  const apollo = ApolloManifest.safeParse(jsonOf(name, content));
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => ({ hash: id, text: body }));
  const plain = PlainManifest.safeParse(jsonOf(name, content));
  if (plain.success) return Object.entries(plain.data).map(([hash, text]) => ({ hash, text }));
  throw wrong(`has ${name}, which is no manifest: an object of texts by their hashes, or Apollo's format`);
}

function jsonOf(name: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw wrong(`has ${name}, which is no JSON: ${reasonOf(cause)}`);
  }
}

function check(name: string, { hash, text }: Given): void {
  if (hash !== hashOf(text)) throw wrong(`has ${name}, where ${hash} is not the SHA-256 of its document`);
  const problem = problemOf(text);
  if (problem !== undefined) throw wrong(`has ${name}, whose document ${hash} is not answered: ${problem}`);
}

function problemOf(text: string): string | undefined {
  try {
    const { definitions } = parse(text, PARSE_OPTIONS);
    const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return operations.length === 1 ? undefined : `it has ${operations.length} operations instead of one`;
  } catch (cause) {
    return reasonOf(cause);
  }
}

/** Logs which registered documents ask for what the schema no longer has: they are refused by name, and all others answered. */
@Injectable()
export class RegisteredDocumentsCheck implements OnApplicationBootstrap {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly schemas: GraphQLSchemaHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const [document, text] of Object.entries(this.documents.registered)) {
      const [error] = validate(this.schemas.schema, parse(text), specifiedRules);
      if (error)
        this.logger.warn(
          { document, reason: error.message },
          'a registered document does not fit the schema',
        );
    }
  }
}
