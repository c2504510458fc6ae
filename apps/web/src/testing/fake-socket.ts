/** What a client of graphql-transport-ws says, as far as specs need it. */
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
/** Sockets behind which nobody is any more, and nobody says so. */
let isDead = false;
let isRefusing = false;

/** The api's end of the subscriptions' socket: accepts everybody and says what a spec tells it to. */
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
    // As a browser does: never while `close` is being called.
    queueMicrotask(() => this.onclose?.({ code, reason, wasClean: true }));
  }
}

/** Puts the fake in the place of the browser's socket. */
export function fakeSockets() {
  subscriptions = [];
  authorizations = [];
  isDead = false;
  isRefusing = false;
  Object.assign(globalThis, { WebSocket: FakeSocket });
  const of = (operation: string) =>
    subscriptions.filter(({ query }) => query.includes(`subscription ${operation}`));
  return {
    /** The variables of everybody who listens to it. */
    listeners: (operation: string) => of(operation).map(({ variables }) => variables),
    /** Every connection is lost, as when a network goes away. */
    drop: () => new Set(subscriptions.map(({ socket }) => socket)).forEach((socket) => socket.close(1006)),
    /** Falls silent without closing anything, as a machine does that loses its power; and is there again. */
    setDead: (dead: boolean) => void (isDead = dead),
    /** Nobody listens at the address, and then somebody does again. */
    setRefusing: (refusing: boolean) => void (isRefusing = refusing),
    /** What each connection said of who it is. */
    authorizations: () => [...authorizations],
    /** Says that it listens to it from now on. */
    confirm: (operation: string) =>
      of(operation).forEach(({ socket, id }) => socket.say({ type: 'pong', payload: { subscribed: id } })),
    /** Answers as to somebody who is not signed in. */
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
