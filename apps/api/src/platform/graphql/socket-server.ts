import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getOperationAST,
  GraphQLError,
  type ExecutionArgs,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Settings } from '../config/load-settings.js';
import { errorFormatter } from '../errors/format-error.js';
import type { Logger } from '../logging/logger.js';
import { Metrics } from '../operations/metrics.js';
import { LOGGER, SETTINGS } from '../runtime/tokens.js';
import { countRefusals } from './answer-budget.plugin.js';
import { answerBytes } from './answer-bytes.js';
import type { ConnectionParams } from './context-factory.js';
import { weightOf } from './document-weight.js';
import { ANSWER_TOO_LARGE, overBudget, QUERY_LIMITS } from './query-limits.rule.js';
import { SocketSessions } from './socket-sessions.js';
import { readSubscription } from './subscription-document.js';

const PATH = '/graphql';
const LARGEST_MESSAGE_BYTES = 64 * 1024;
const MOST_SUBSCRIPTIONS = 50;
/** After it a browser that does not answer the goodbye is let go. */
const FAREWELL_MS = 1_000;

/** Subscriptions over a socket, under the limits and with the errors that requests have. Nest's own server offers neither. */
@Injectable()
export class SocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    handleProtocols: (offered) =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
  });
  private stop: (() => void | Promise<void>) | undefined;

  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly schemas: GraphQLSchemaHost,
    private readonly sessions: SocketSessions,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'nodeEnv'>,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    // Nothing listens where only the schema is printed.
    const server = (
      this.adapters.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined
    )?.getHttpServer() as Server | undefined;
    if (!server) return;
    const { schema } = this.schemas;
    this.metrics.watch('nimo_sockets', 'Open sockets of browsers.', [], (gauge) =>
      gauge.set(this.sockets.clients.size),
    );
    const format = errorFormatter(
      (err, path) => this.logger.error({ err, path }),
      (code) => this.metrics.errors.inc({ code }),
    );
    const shown = (errors: readonly GraphQLError[]): GraphQLFormattedError[] =>
      errors.map((error) => format(error.toJSON(), error));
    const disposable = useServer<ConnectionParams>(
      {
        context: (context) => this.sessions.contextOf(context),
        onSubscribe: (context, _id, payload) =>
          this.admit(schema, Object.keys(context.subscriptions).length, payload),
        onError: (_context, _id, _payload, errors) => shown(errors),
        onNext: (_context, _id, _payload, _args, { data, errors }) => {
          if (answerBytes(data, QUERY_LIMITS.bytes) > QUERY_LIMITS.bytes) {
            return { data: null, errors: shown(this.counted([ANSWER_TOO_LARGE])) };
          }
          return errors ? { ...(data !== undefined && { data }), errors: shown(errors) } : undefined;
        },
      },
      this.sockets,
    );
    this.stop = () => disposable.dispose();
    server.on('upgrade', this.upgrade);
  }

  /** Says goodbye by 1001, after which a browser comes back, to another process if there is one. */
  async leave(): Promise<void> {
    const { stop } = this;
    if (!stop) return;
    this.stop = undefined;
    const farewell = setTimeout(() => {
      for (const client of this.sockets.clients) client.terminate();
    }, FAREWELL_MS);
    await stop();
    clearTimeout(farewell);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.leave();
  }

  private readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (new URL(request.url ?? '', 'http://localhost').pathname !== PATH) {
      socket.destroy();
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      this.sockets.emit('connection', client, request);
    });
  };

  private admit(
    schema: GraphQLSchema,
    open: number,
    payload: SubscribePayload,
  ): ExecutionArgs | readonly GraphQLError[] {
    if (open > MOST_SUBSCRIPTIONS)
      return [new GraphQLError('Too many subscriptions.', { extensions: { code: 'BAD_REQUEST' } })];
    const read = readSubscription(schema, payload.query, this.settings.nodeEnv === 'production');
    if ('errors' in read) return this.counted(read.errors);
    const { document } = read;
    const operation = getOperationAST(document, payload.operationName);
    const refused = operation && overBudget(weightOf(schema, document, operation, payload.variables ?? {}));
    if (refused) return this.counted([refused]);
    return {
      schema,
      document,
      ...(payload.operationName && { operationName: payload.operationName }),
      ...(payload.variables && { variableValues: payload.variables }),
    };
  }

  private counted(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    countRefusals(this.metrics, errors);
    return errors;
  }
}
