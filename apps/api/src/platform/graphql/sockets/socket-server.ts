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
import { WebSocket, WebSocketServer } from 'ws';
import type { Settings } from '../../config/load-settings.js';
import { errorFormatter } from '../../errors/format-error.js';
import type { Logger } from '../../logging/logger.js';
import { Metrics } from '../../operations/metrics.js';
import { guarded } from '../../errors/guarded.js';
import { LOGGER, SETTINGS } from '../../config/tokens.js';
import type { ConnectionParams, SubscriptionContext } from '../context-factory.js';
import { DocumentAdmission, KnownDocuments } from '../documents/known-documents.js';
import { untrustedDocumentCost } from '../documents/untrusted-documents.js';
import { countRefusals } from '../plugins.js';
import { type HandshakeRefusal, PER_SOCKET_LIMITS, SocketGate } from './socket-gate.js';
import { SocketSessions } from './socket-sessions.js';
import { assertSubscription, readSubscription } from './subscription-document.js';

const BACKPRESSURE_CHECK_MS = 2_000;
/** Close code, from the range reserved for applications. */
const TOO_MANY_MESSAGES = 4429;
/** Time a client has to complete the closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Subscriptions over WebSocket, with the limits and errors of requests, which Nest's own server lacks. */
@Injectable()
export class SocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: PER_SOCKET_LIMITS.messageBytes,
    // One message per socket and event loop turn, so that a busy socket does not delay others.
    allowSynchronousEvents: false,
    handleProtocols: (offered) =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
  });
  private stop: (() => void | Promise<void>) | undefined;
  private backpressureTimer: NodeJS.Timeout | undefined;

  // More than five: combines the server, the schema, the limits and metrics.
  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly schemas: GraphQLSchemaHost,
    private readonly sessions: SocketSessions,
    private readonly gate: SocketGate,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'nodeEnv'>,
    private readonly metrics: Metrics,
    private readonly admission: DocumentAdmission,
    private readonly documents: KnownDocuments,
  ) {}

  onApplicationBootstrap(): void {
    // There is no server when only the schema is printed.
    const server = (
      this.adapters.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined
    )?.getHttpServer() as Server | undefined;
    if (!server) return;
    const { schema } = this.schemas;
    this.metrics.watch('nimo_sockets', 'Open WebSocket connections.', [], (gauge) =>
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
        connectionInitWaitTimeout: PER_SOCKET_LIMITS.initMs,
        onConnect: (context) => this.connect(context),
        onClose: (context) => this.gate.disconnect(context),
        jsonMessageReviver: refuseServerMessages,
        context: (context) => this.sessions.contextOf(context),
        onSubscribe: (context, _id, payload) => this.admit(schema, context, payload),
        onOperation: (context, id, _payload, _args, result) => confirmSubscription(context, id, result),
        onComplete: (context) => this.gate.count(context),
        onError: (_context, _id, _payload, errors) => shown(errors),
        onNext: (_context, _id, _payload, _args, { data, errors }) =>
          errors ? { ...(data !== undefined && { data }), errors: shown(errors) } : undefined,
      },
      this.sockets,
      PER_SOCKET_LIMITS.pingMs,
    );
    this.stop = () => disposable.dispose();
    this.sockets.on(
      'connection',
      guarded(this.logError, (client) => this.limitMessages(client)),
    );
    this.backpressureTimer = setInterval(
      guarded(this.logError, () => this.terminateSlowReaders()),
      BACKPRESSURE_CHECK_MS,
    ).unref();
    server.on('upgrade', this.upgrade);
  }

  /** Closes all sockets with 1001, so that clients reconnect, to another process if there is one. */
  async drain(): Promise<void> {
    const { stop } = this;
    if (!stop) return;
    this.stop = undefined;
    clearInterval(this.backpressureTimer);
    const closeTimer = setTimeout(() => {
      for (const client of this.sockets.clients) client.terminate();
    }, CLOSE_TIMEOUT_MS);
    await stop();
    clearTimeout(closeTimer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
  }

  private readonly logError = (err: unknown): void => {
    this.logger.error({ err }, 'a socket failed');
  };

  /** Node passes the raw socket without an error listener and catches nothing: either would end the process. */
  private readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => undefined);
    try {
      const entered = this.gate.enter(request);
      if (typeof entered === 'string') return refuse(socket, entered);
      socket.once('close', entered.release);
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        ignoreFailedSends(client);
        this.sockets.emit('connection', client, request);
      });
    } catch (err) {
      this.logError(err);
      socket.destroy();
    }
  };

  /** graphql-ws prints the first client error, ignores further ones and accepts any number of messages. */
  private limitMessages(client: WebSocket): void {
    client.removeAllListeners('error');
    client.on('error', () => undefined);
    let since = performance.now();
    let said = 0;
    client.on('message', () => {
      const now = performance.now();
      if (now - since > PER_SOCKET_LIMITS.messagesMs) [since, said] = [now, 0];
      said += 1;
      if (said <= PER_SOCKET_LIMITS.messages) return;
      // Ignore messages already received.
      client.removeAllListeners('message');
      client.close(TOO_MANY_MESSAGES, 'Too many messages.');
    });
  }

  /** Messages to a client that does not read are buffered in this process. */
  private terminateSlowReaders(): void {
    for (const client of this.sockets.clients)
      if (client.bufferedAmount > PER_SOCKET_LIMITS.unreadBytes) client.terminate();
  }

  private async connect(context: SubscriptionContext): Promise<boolean> {
    const account = await this.sessions.accountOf(context);
    const { socket } = context.extra;
    // It may have closed meanwhile, and `onClose` would not fire again.
    return socket.readyState === socket.OPEN && this.gate.connect(context, account);
  }

  private async admit(
    schema: GraphQLSchema,
    context: SubscriptionContext,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const refusal = this.gate.refusalOf(context);
    if (refusal) return this.countRefused([refusal]);
    try {
      return await this.resolveDocument(schema, context, payload);
    } catch (error) {
      if (error instanceof GraphQLError) return this.countRefused([error]);
      throw error;
    }
  }

  /** @throws GraphQLError when the caller may not use the document or it exceeds a limit */
  private async resolveDocument(
    schema: GraphQLSchema,
    context: SubscriptionContext,
    { query, extensions, operationName, variables }: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    // With a document id the text is empty: the protocol requires one.
    const sent = query === '' && extensions ? { extensions } : { query, extensions };
    const { text = '', isUntrusted } = await this.admission.admit(
      sent,
      async () => (await this.sessions.accountOf(context)) !== undefined,
    );
    const known = this.documents.find(text);
    const read = known
      ? { document: known }
      : readSubscription(schema, text, this.settings.nodeEnv === 'production');
    if ('errors' in read) return this.countRefused(read.errors);
    const { document } = read;
    if (!known) this.documents.add(text, document);
    const operation = getOperationAST(document, operationName);
    if (operation) {
      assertSubscription(operation);
      if (isUntrusted) untrustedDocumentCost(schema, document, operation, variables ?? {});
    }
    return {
      schema,
      document,
      ...(operationName && { operationName }),
      ...(variables && { variableValues: variables }),
    };
  }

  private countRefused(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    countRefusals(this.metrics, errors);
    return errors;
  }
}

/** Ignores failed sends to closed sockets, which graphql-ws would print. It sends only text. */
function ignoreFailedSends(client: WebSocket): void {
  Object.assign(client, {
    send: (text: string, done: () => void): void => {
      WebSocket.prototype.send.call(client, text, {}, () => done());
    },
  });
}

/**
 * The protocol does not confirm subscriptions, so a client that queried before one began may miss events. A pong may be sent at any time
 * with any payload: this one names the subscription.
 */
function confirmSubscription({ extra: { socket } }: SubscriptionContext, id: string, result: object): void {
  if (!(Symbol.asyncIterator in result)) return;
  const message = JSON.stringify({ type: 'pong', payload: { subscribed: id } });
  socket.send(message, () => undefined);
}

function refuse(socket: Duplex, line: HandshakeRefusal): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Messages only a server sends. graphql-ws treats them as an internal error and writes to the console. */
const SERVER_MESSAGES: ReadonlySet<unknown> = new Set(['connection_ack', 'next', 'error']);

/** Throwing makes graphql-ws close with 4400. */
function refuseServerMessages(this: unknown, key: string, value: unknown): unknown {
  if (key === '' && typeof value === 'object' && value !== null && 'type' in value)
    if (SERVER_MESSAGES.has(value.type)) throw new TypeError('Only a server sends this message.');
  return value;
}
