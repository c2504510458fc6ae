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
import { PARSE_OPTIONS } from './untrusted-documents.js';
import { type DocumentsById, KnownDocuments } from './known-documents.js';

const MAX_DOCUMENTS = 2_000;

/** Written by `@apollo/generate-persisted-query-manifest`. */
const ApolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});
/** Written by GraphQL Code Generator (`persistedDocuments`): texts by hash. */
const PlainManifest = z.record(z.string(), z.string());

interface RegisteredDocument {
  readonly hash: string;
  readonly text: string;
}

/**
 * Documents of other programs by their SHA-256 in lowercase hex: `.graphql` files of one operation each, and manifests.
 * @throws SettingsError when a file cannot be read, a hash does not match its text, or a document is invalid
 */
export function loadRegisteredDocuments(folder: string | undefined): DocumentsById {
  if (folder === undefined) return {};
  const allDocuments = listFiles(folder).flatMap((name) => {
    const content = readText(join(folder, name));
    const documents = name.endsWith('.json')
      ? readManifest(name, content)
      : [{ hash: hashOf(content), text: content }];
    for (const document of documents) assertValid(name, document);
    return documents;
  });
  if (allDocuments.length > MAX_DOCUMENTS)
    throw invalid(`has ${allDocuments.length} documents; the limit is ${MAX_DOCUMENTS}`);
  return Object.fromEntries(allDocuments.map(({ hash, text }) => [hash, text]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const invalid = (what: string): SettingsError => new SettingsError(`GRAPHQL_DOCUMENTS_DIR ${what}.`);

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:graphql|json)$/.test(name))
      .sort();
  } catch (cause) {
    throw invalid(`cannot be read: ${reasonOf(cause)}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(`has a file that cannot be read: ${reasonOf(cause)}`);
  }
}

function readManifest(name: string, content: string): RegisteredDocument[] {
  const apollo = ApolloManifest.safeParse(parseJson(name, content));
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => ({ hash: id, text: body }));
  const plain = PlainManifest.safeParse(parseJson(name, content));
  if (plain.success) return Object.entries(plain.data).map(([hash, text]) => ({ hash, text }));
  throw invalid(`has ${name}, which is not a manifest: an object of texts by hash, or Apollo's format`);
}

function parseJson(name: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw invalid(`has ${name}, which is not JSON: ${reasonOf(cause)}`);
  }
}

function assertValid(name: string, { hash, text }: RegisteredDocument): void {
  if (hash !== hashOf(text)) throw invalid(`has ${name}, where ${hash} is not the SHA-256 of its document`);
  const problem = problemOf(text);
  if (problem !== undefined) throw invalid(`has ${name}, whose document ${hash} is invalid: ${problem}`);
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

/** Logs registered documents that no longer match the schema. Only these fail; all others keep working. */
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
          'a registered document does not match the schema',
        );
    }
  }
}
