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
import { costOfForeign } from '../documents/foreign-documents.js';
import { countRefusals } from '../plugins.js';
import { type Refusal, SOCKET_BOUNDS, SocketGate } from './socket-gate.js';
import { SocketSessions } from './socket-sessions.js';
import { assertSubscription, readSubscription } from './subscription-document.js';

const LOOK_MS = 2_000;
/** Try again later, to a program; of the codes that applications choose. */
const TOO_MUCH = 4429;
/** After it a browser that does not answer the goodbye is let go. */
const FAREWELL_MS = 1_000;

/** Subscriptions over a socket, under the limits and with the errors that requests have. Nest's own server offers neither. */
@Injectable()
export class SocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: SOCKET_BOUNDS.messageBytes,
    // One message of each socket per turn of the event loop: a page that subscribes to much lets others in between.
    allowSynchronousEvents: false,
    handleProtocols: (offered) =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
  });
  private stop: (() => void | Promise<void>) | undefined;
  private looking: NodeJS.Timeout | undefined;

  // More than five: it joins the server, the schema, the limits and those who watch.
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
        connectionInitWaitTimeout: SOCKET_BOUNDS.initMs,
        onConnect: (context) => this.connect(context),
        onClose: (context) => this.gate.disconnect(context),
        jsonMessageReviver: refuseServerMessages,
        context: (context) => this.sessions.contextOf(context),
        onSubscribe: (context, _id, payload) => this.admit(schema, context, payload),
        onOperation: (context, id, _payload, _args, result) => confirm(context, id, result),
        onComplete: (context) => this.gate.count(context),
        onError: (_context, _id, _payload, errors) => shown(errors),
        onNext: (_context, _id, _payload, _args, { data, errors }) =>
          errors ? { ...(data !== undefined && { data }), errors: shown(errors) } : undefined,
      },
      this.sockets,
      SOCKET_BOUNDS.pingMs,
    );
    this.stop = () => disposable.dispose();
    this.sockets.on(
      'connection',
      guarded(this.tell, (client) => this.bound(client)),
    );
    this.looking = setInterval(
      guarded(this.tell, () => this.endUnread()),
      LOOK_MS,
    ).unref();
    server.on('upgrade', this.upgrade);
  }

  /** Says goodbye by 1001, after which a browser comes back, to another process if there is one. */
  async leave(): Promise<void> {
    const { stop } = this;
    if (!stop) return;
    this.stop = undefined;
    clearInterval(this.looking);
    const farewell = setTimeout(() => {
      for (const client of this.sockets.clients) client.terminate();
    }, FAREWELL_MS);
    await stop();
    clearTimeout(farewell);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.leave();
  }

  private readonly tell = (err: unknown): void => {
    this.logger.error({ err }, 'a socket could not be served');
  };

  /** Node hands over the bare socket with nobody listening to its errors, and catches nothing: both would end the process. */
  private readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => undefined);
    try {
      const entered = this.gate.enter(request);
      if (typeof entered === 'string') return refuse(socket, entered);
      socket.once('close', entered.release);
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        forgiveLostAnswers(client);
        this.sockets.emit('connection', client, request);
      });
    } catch (err) {
      this.tell(err);
      socket.destroy();
    }
  };

  /** Its library prints the first error, which is the client's doing, and listens to no other; and to any number of messages. */
  private bound(client: WebSocket): void {
    client.removeAllListeners('error');
    client.on('error', () => undefined);
    let since = performance.now();
    let said = 0;
    client.on('message', () => {
      const now = performance.now();
      if (now - since > SOCKET_BOUNDS.messagesMs) [since, said] = [now, 0];
      said += 1;
      if (said <= SOCKET_BOUNDS.messages) return;
      // Nothing of what it said besides is looked at any more.
      client.removeAllListeners('message');
      client.close(TOO_MUCH, 'Too many messages.');
    });
  }

  /** What is sent to somebody who does not read is kept here. */
  private endUnread(): void {
    for (const client of this.sockets.clients)
      if (client.bufferedAmount > SOCKET_BOUNDS.unreadBytes) client.terminate();
  }

  private async connect(context: SubscriptionContext): Promise<boolean> {
    const account = await this.sessions.accountOf(context);
    const { socket } = context.extra;
    // It may have gone meanwhile, and nobody would tell of that again.
    return socket.readyState === socket.OPEN && this.gate.connect(context, account);
  }

  private async admit(
    schema: GraphQLSchema,
    context: SubscriptionContext,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const refusal = this.gate.refusalOf(context);
    if (refusal) return this.counted([refusal]);
    try {
      return await this.read(schema, context, payload);
    } catch (error) {
      if (error instanceof GraphQLError) return this.counted([error]);
      throw error;
    }
  }

  /** @throws GraphQLError where the document is not answered to the caller, or asks for too much */
  private async read(
    schema: GraphQLSchema,
    context: SubscriptionContext,
    { query, extensions, operationName, variables }: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    // Where an id names the document, its text is empty: the protocol demands one.
    const sent = query === '' && extensions ? { extensions } : { query, extensions };
    const { text = '', isForeign } = await this.admission.admit(
      sent,
      async () => (await this.sessions.accountOf(context)) !== undefined,
    );
    const known = this.documents.find(text);
    const read = known
      ? { document: known }
      : readSubscription(schema, text, this.settings.nodeEnv === 'production');
    if ('errors' in read) return this.counted(read.errors);
    const { document } = read;
    if (!known) this.documents.keep(text, document);
    const operation = getOperationAST(document, operationName);
    if (operation) {
      assertSubscription(operation);
      if (isForeign) costOfForeign(schema, document, operation, variables ?? {});
    }
    return {
      schema,
      document,
      ...(operationName && { operationName }),
      ...(variables && { variableValues: variables }),
    };
  }

  private counted(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    countRefusals(this.metrics, errors);
    return errors;
  }
}

/** Whoever is gone takes no more, which is no fault of ours: the library would print each answer that is lost so. It sends texts alone. */
function forgiveLostAnswers(client: WebSocket): void {
  Object.assign(client, {
    send: (text: string, done: () => void): void => {
      WebSocket.prototype.send.call(client, text, {}, () => done());
    },
  });
}

/**
 * The protocol does not say that a subscription has begun, and whoever read before that has missed what came between. A pong may come at
 * any time and carry anything: this one names the subscription.
 */
function confirm({ extra: { socket } }: SubscriptionContext, id: string, result: object): void {
  if (!(Symbol.asyncIterator in result)) return;
  const message = JSON.stringify({ type: 'pong', payload: { subscribed: id } });
  socket.send(message, () => undefined);
}

function refuse(socket: Duplex, line: Refusal): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** What only a server says. The library takes it for a fault of ours and writes it to the console. */
const SERVER_MESSAGES: ReadonlySet<unknown> = new Set(['connection_ack', 'next', 'error']);

/** Throwing here is the library's way to a close by 4400. */
function refuseServerMessages(this: unknown, key: string, value: unknown): unknown {
  if (key === '' && typeof value === 'object' && value !== null && 'type' in value)
    if (SERVER_MESSAGES.has(value.type)) throw new TypeError('Only a server sends this message.');
  return value;
}
