import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, graphql, GraphQLError } from 'graphql';
import { WEB_DOCUMENTS } from '../../../api/src/generated/web-documents';
import { fakeSockets } from './fake-socket';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../../api/schema.graphql'), 'utf8'));

type Arguments = Record<string, unknown>;

/** Resolvers of root fields. The real SDL validates operations and results. */
export type Answers = Record<string, (args: Arguments) => unknown>;

export interface ApiCall {
  operation: string;
  variables: Arguments;
  authorization: string | null;
  idempotencyKey: string | null;
  correlationId: string | null;
  language: string | null;
}

/** An error in the API's format. */
export function apiError(message: string, code: string, field?: string, rule?: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, field, rule } });
}

function operationName(query: string): string {
  return /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
}

interface GraphqlRequest {
  query?: string;
  variables: Arguments;
  extensions?: { persistedQuery?: { sha256Hash: string } };
}

const unknownDocument = {
  errors: [
    {
      message: 'PersistedQueryNotFound',
      extensions: { code: 'VALIDATION_FAILED', rule: 'DOCUMENT_NOT_REGISTERED' },
    },
  ],
};

const brokenImage = {
  errors: [
    {
      message: 'This file is not a valid image.',
      extensions: { code: 'VALIDATION_FAILED', field: 'file', rule: 'IMAGE_BROKEN' },
    },
  ],
};

/** `XMLHttpRequest` on top of `fetch`, which reports progress at half. */
class FakeUpload {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 0;
  responseText = '';
  private url = '';
  private isAborted = false;

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(): void {
    // No spec checks the headers of an upload.
  }
  abort(): void {
    this.isAborted = true;
    this.onabort?.();
  }
  send(body: Blob): void {
    this.upload.onprogress?.({ loaded: 1, total: 2 });
    fetch(this.url, { method: 'PUT', body })
      .then(async (answer) => {
        this.status = answer.status;
        this.responseText = await answer.text();
        if (!this.isAborted) this.onload?.();
      })
      .catch(() => this.onerror?.())
      .finally(() => this.onloadend?.());
  }
}

/** Empty answers for requests that every page sends. */
const nothingYet: Answers = {
  getNewNotificationCount: () => 0,
  getModerationCounts: () => ({ reportedPosts: 0, entryRequests: 0, votePatterns: 0, proposedCases: 0 }),
  getStudentSpaces: () => [],
  getOwnRemovals: () => [],
  getPaginatedPostReports: () => ({ docs: [], page: 1, totalPages: 0 }),
};

/**
 * Answers every GraphQL request of a spec with the given resolvers, and records the calls.
 * @param documents registered documents by ID; pass others to fake another version of the API
 */
export function fakeApi(answers: Answers, documents: Readonly<Record<string, string>> = WEB_DOCUMENTS) {
  const calls: ApiCall[] = [];
  const uploads: string[] = [];
  globalThis.XMLHttpRequest = FakeUpload as unknown as typeof XMLHttpRequest;
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    if (init?.method === 'PUT') {
      uploads.push(url);
      return url.includes('refused')
        ? Response.json(brokenImage, { status: 400 })
        : Response.json({ location: '/media/stored.webp' });
    }
    if (url === '/health/live') return new Response();
    if (typeof init?.body !== 'string') throw new Error(`Expected a GraphQL request at ${url}`);
    const request = JSON.parse(init.body) as GraphqlRequest;
    const { variables } = request;
    const query = request.query ?? documents[request.extensions?.persistedQuery?.sha256Hash ?? ''];
    if (query === undefined) return Response.json(unknownDocument);
    const headers = new Headers(init.headers);
    calls.push({
      operation: operationName(query),
      variables,
      authorization: headers.get('authorization'),
      idempotencyKey: headers.get('idempotency-key'),
      correlationId: headers.get('x-correlation-id'),
      language: headers.get('accept-language'),
    });
    const result = await graphql({
      schema,
      source: query,
      variableValues: variables,
      rootValue: { ...nothingYet, ...answers },
    });
    return Response.json(result);
  };
  return {
    uploads,
    live: fakeSockets(),
    calls: (operation: string) => calls.filter((call) => call.operation === operation),
    /** Replaces resolvers. */
    change: (changes: Answers) => void Object.assign(answers, changes),
  };
}
