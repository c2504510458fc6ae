/** Client messages of graphql-transport-ws that specs need. */
type ClientMessage =
  | { type: 'connection_init'; payload?: { authorization?: string } }
  | { type: 'complete' | 'ping' | 'pong' }
  | { type: 'subscribe'; id: string; payload: { query: string; variables?: Record<string, unknown> } };

interface Subscription {
  socket: FakeSocket;
  id: string;
  query: string;
  variables: Record<string, unknown>;
}

let subscriptions: Subscription[] = [];
let authorizations: (string | undefined)[] = [];
/** The peer is gone without having closed the sockets. */
let isDead = false;
let isRefusing = false;

/** Fake `WebSocket` for subscriptions: accepts every client, and sends what a spec requests. */
class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  readyState: number = FakeSocket.CONNECTING;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onerror?: (event: { type: 'error' }) => void;
  onclose?: (event: { code: number; reason: string; wasClean: boolean }) => void;

  constructor() {
    queueMicrotask(() => {
      if (isRefusing) {
        this.onerror?.({ type: 'error' });
        this.close(1006);
        return;
      }
      this.readyState = FakeSocket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    if (isDead) return;
    const message = JSON.parse(text) as ClientMessage;
    if (message.type === 'ping') this.say({ type: 'pong' });
    if (message.type === 'connection_init') {
      authorizations.push(message.payload?.authorization);
      this.say({ type: 'connection_ack' });
    }
    if (message.type !== 'subscribe') return;
    const { query, variables = {} } = message.payload;
    subscriptions.push({ socket: this, id: message.id, query, variables });
  }

  say(message: object): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }

  close(code = 1000, reason = ''): void {
    this.readyState = FakeSocket.CLOSED;
    subscriptions = subscriptions.filter(({ socket }) => socket !== this);
    // Asynchronous, as in a browser.
    queueMicrotask(() => this.onclose?.({ code, reason, wasClean: true }));
  }
}

/** Replaces `WebSocket` with the fake. */
export function fakeSockets() {
  subscriptions = [];
  authorizations = [];
  isDead = false;
  isRefusing = false;
  Object.assign(globalThis, { WebSocket: FakeSocket });
  const of = (operation: string) =>
    subscriptions.filter(({ query }) => query.includes(`subscription ${operation}`));
  return {
    /** Variables of all subscriptions to an operation. */
    listeners: (operation: string) => of(operation).map(({ variables }) => variables),
    /** Closes all connections, as when the network fails. */
    drop: () => new Set(subscriptions.map(({ socket }) => socket)).forEach((socket) => socket.close(1006)),
    /** Stops responding without closing any socket, as after a power failure; or responds again. */
    setDead: (dead: boolean) => void (isDead = dead),
    /** Refuses new connections, or accepts them again. */
    setRefusing: (refusing: boolean) => void (isRefusing = refusing),
    /** Authorization of each connection. */
    authorizations: () => [...authorizations],
    /** Confirms that the API is listening for a subscription. */
    confirm: (operation: string) =>
      of(operation).forEach(({ socket, id }) => socket.say({ type: 'pong', payload: { subscribed: id } })),
    /** Rejects a subscription as unauthenticated. */
    askToSignIn: (operation: string) =>
      of(operation).forEach(({ socket, id }) => {
        const error = { message: 'Please log in.', extensions: { code: 'UNAUTHENTICATED' } };
        socket.say({ type: 'next', id, payload: { data: null, errors: [error] } });
        socket.say({ type: 'complete', id });
      }),
    announce: (operation: string, data: object) =>
      of(operation).forEach(({ socket, id }) => socket.say({ type: 'next', id, payload: { data } })),
  };
}
