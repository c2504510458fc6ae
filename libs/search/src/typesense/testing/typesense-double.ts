import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DoubleCollection, type DoubleSchema } from './double-collection.js';
import { BadRequest, filterOf } from './double-filter.js';
import { type DoubleSearchParams, doubleSearch, shown } from './double-search.js';

type Fault = 'hangs' | 'fails';

interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
}

interface Request {
  readonly method: string;
  readonly path: readonly string[];
  readonly params: URLSearchParams;
  readonly body: string;
}

const NOT_FOUND: Answer = { status: 404, json: { message: 'Not Found' } };

/**
 * In-memory test double of the Typesense HTTP API: collections, aliases, import, export, deletion and search. Proves requests and the
 * handling of responses, but not Typesense's ranking.
 */
export class TypesenseDouble {
  readonly apiKey = randomUUID();
  readonly collections = new Map<string, DoubleCollection>();
  readonly aliases = new Map<string, string>();
  /** All search requests received. */
  readonly searches: DoubleSearchParams[] = [];
  private server: Server | undefined;
  private port = 0;
  private fault: Fault | undefined;

  static async start(): Promise<TypesenseDouble> {
    const double = new TypesenseDouble();
    await double.up();
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts listening, on the same port as before. */
  async up(): Promise<void> {
    this.fault = undefined;
    if (this.server) return;
    this.server = createServer((request, response) => void this.handle(request, response));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening, so that connections are refused. */
  async down(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  /** Leaves requests unanswered or answers 503, until `up`. */
  injectFault(fault: Fault): void {
    this.fault = fault;
  }

  /** The collection behind an alias. */
  behind(alias: string): DoubleCollection {
    const collection = this.named(alias);
    if (!collection) throw new Error(`no collection behind alias ${alias}`);
    return collection;
  }

  private named(name: string): DoubleCollection | undefined {
    return this.collections.get(this.aliases.get(name) ?? name);
  }

  private async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    if (this.fault === 'hangs') return;
    const { status = 200, json, text } = this.answer(message, Buffer.concat(chunks).toString());
    const isText = text !== undefined;
    response.writeHead(status, { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' });
    response.end(isText ? text : JSON.stringify(json));
  }

  private answer(message: IncomingMessage, body: string): Answer {
    if (this.fault === 'fails') return { status: 503, json: { message: 'Not Ready or Lagging' } };
    if (message.headers['x-typesense-api-key'] !== this.apiKey)
      return {
        status: 401,
        json: { message: 'Forbidden - a valid `x-typesense-api-key` header must be sent.' },
      };
    const url = new URL(message.url ?? '/', this.url);
    if ((message.url ?? '').length > 4_000)
      return { status: 400, json: { message: 'Query string exceeds 4000 characters.' } };
    const path = url.pathname.split('/').slice(1).map(decodeURIComponent);
    try {
      return this.route({ method: message.method ?? 'GET', path, params: url.searchParams, body });
    } catch (error) {
      if (error instanceof BadRequest) return { status: 400, json: { message: error.message } };
      return { status: 500, json: { message: String(error) } };
    }
  }

  private route(request: Request): Answer {
    const { method, path, body } = request;
    const [resource, name, part] = path;
    switch (resource) {
      case 'health':
        return { json: { ok: true } };
      case 'multi_search':
        return { json: { results: this.multiSearch(body) } };
      case 'aliases':
        return this.alias(method, name, body);
      case 'collections':
        if (part === 'documents') return this.documents(request);
        return this.collection(method, name, body);
      default:
        return NOT_FOUND;
    }
  }

  private multiSearch(body: string): object[] {
    const { searches } = JSON.parse(body) as { searches: (DoubleSearchParams & { collection: string })[] };
    return searches.map((search) => {
      this.searches.push(search);
      const collection = this.named(search.collection);
      if (!collection) return { code: 404, error: 'Not found.' };
      try {
        return doubleSearch(collection.searched, search);
      } catch (error) {
        if (error instanceof BadRequest) return { code: 400, error: error.message };
        throw error;
      }
    });
  }

  private alias(method: string, name: string | undefined, body: string): Answer {
    const toJson = ([alias, collection_name]: [string, string]) => ({ name: alias, collection_name });
    if (name === undefined) return { json: { aliases: [...this.aliases].map(toJson) } };
    if (method === 'PUT')
      this.aliases.set(name, (JSON.parse(body) as { collection_name: string }).collection_name);
    const target = this.aliases.get(name);
    if (target === undefined) return NOT_FOUND;
    if (method === 'DELETE') this.aliases.delete(name);
    return { json: toJson([name, target]) };
  }

  private collection(method: string, name: string | undefined, body: string): Answer {
    if (method === 'POST') return this.create(JSON.parse(body) as DoubleSchema);
    const describe = ({ schema, documents }: DoubleCollection) => ({
      ...schema,
      num_documents: documents.size,
    });
    if (name === undefined) return { json: [...this.collections.values()].map(describe) };
    const collection = this.named(name);
    if (!collection) return NOT_FOUND;
    if (method === 'DELETE') this.collections.delete(collection.schema.name);
    return { json: describe(collection) };
  }

  private create(schema: DoubleSchema): Answer {
    if (this.collections.has(schema.name))
      return { status: 409, json: { message: `A collection with name \`${schema.name}\` already exists.` } };
    this.collections.set(schema.name, new DoubleCollection(schema));
    return { status: 201, json: schema };
  }

  private documents({ method, path, params, body }: Request): Answer {
    const [, name = '', , action] = path;
    const collection = this.named(name);
    if (!collection) return NOT_FOUND;
    switch (`${method} ${action ?? ''}`) {
      case 'POST import':
        return {
          text: body
            .split('\n')
            .map((line) => JSON.stringify(collection.importLine(line)))
            .join('\n'),
        };
      case 'GET export': {
        const lines = [...collection.documents.values()].filter(filterOf(params.get('filter_by') ?? ''));
        const fields = params.get('include_fields') ?? undefined;
        return { text: lines.map((document) => JSON.stringify(shown(document, fields))).join('\n') };
      }
      case 'GET search':
        return { json: doubleSearch(collection.searched, Object.fromEntries(params)) };
      case 'DELETE ':
        return { json: collection.remove(params.get('filter_by')) };
      default:
        return NOT_FOUND;
    }
  }
}
