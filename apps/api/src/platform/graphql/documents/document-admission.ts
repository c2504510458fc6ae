import { Inject, Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import type { Settings } from '../../config/load-settings.js';
import { ApiError } from '../../errors/api-error.js';
import { asGraphql } from '../../errors/format-error.js';
import { SETTINGS } from '../../config/tokens.js';
import { assertFewLines } from './foreign-documents.js';
import { KnownDocuments } from './known-documents.js';
import { OtherVersions } from './other-versions.js';

/** A document by its id, as Apollo's clients send it. */
const ById = z.object({ persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string() }) });
const NamesId = z.object({ persistedQuery: z.unknown().refine((value) => value !== undefined) });

interface SentDocument {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

export interface AdmittedDocument {
  readonly text: string | undefined;
  /** Neither the web app's own, in any version, nor registered: its shape is bounded before it is executed. */
  readonly isForeign: boolean;
}

/** Decides by `GRAPHQL_DOCUMENTS` whose documents are parsed at all. */
@Injectable()
export class DocumentAdmission {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly versions: OtherVersions,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'graphqlDocuments'>,
  ) {}

  /**
   * @param isSignedIn is asked only where it matters
   * @throws GraphQLError where the id is unknown, as after a change of the version (clients then send the text), or the document is not
   * answered to the caller
   */
  async admit(
    { query, extensions }: SentDocument,
    isSignedIn: () => Promise<boolean>,
  ): Promise<AdmittedDocument> {
    const id = idIn(extensions);
    if (id !== null) {
      const isTextGiven = query !== undefined && query !== null;
      const text = isTextGiven ? undefined : (this.documents.textOf(id) ?? (await this.versions.textOf(id)));
      if (text === undefined) throw notKnown();
      return { text, isForeign: false };
    }
    if (typeof query !== 'string') return { text: undefined, isForeign: false };
    if (this.documents.isOurs(query)) return { text: query, isForeign: false };
    const { graphqlDocuments } = this.settings;
    if (graphqlDocuments !== 'any') {
      if (await this.versions.knows(query)) return { text: query, isForeign: false };
      if (graphqlDocuments === 'own' || !(await isSignedIn())) throw notRegistered();
    }
    assertFewLines(query);
    return { text: query, isForeign: true };
  }
}

const RULE = 'DOCUMENT_NOT_REGISTERED';

/** As Apollo says it, and as its clients understand it. */
const notKnown = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', rule: RULE, http: { status: 200 } },
  });

const notRegistered = (): GraphQLError =>
  asGraphql(
    new ApiError(
      'FORBIDDEN',
      'Only registered documents are answered here. To register yours, see "Registering documents" in the API reference.',
      { rule: RULE },
    ),
  );

/**
 * The id by which a document is named, null where none is.
 * @throws GraphQLError where it is named in a way that nobody understands
 */
function idIn(extensions: unknown): string | null {
  if (!NamesId.safeParse(extensions).success) return null;
  const named = ById.safeParse(extensions).data;
  if (!named) throw notKnown();
  return named.persistedQuery.sha256Hash;
}
