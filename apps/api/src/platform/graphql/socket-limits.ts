/** Of one process. Against machines: a class behind one address meets none of them. `RATE_LIMIT_FACTOR` multiplies those of several sockets. */
export const SOCKET_LIMITS = {
  sockets: 10_000,
  socketsPerAddress: 400,
  /** Tabs and devices of one person. */
  socketsPerAccount: 30,
  subscriptionsPerAddress: 1_500,
  subscriptionsPerAccount: 200,
} as const;

/** Of each socket. */
export const SOCKET_BOUNDS = {
  subscriptions: 50,
  messageBytes: 64 * 1024,
  /** What it may say in ten seconds; a page that comes back asks for all it listens to at once. */
  messages: 300,
  messagesMs: 10_000,
  /** What waits for a browser that does not read. */
  unreadBytes: 1024 * 1024,
  /** For the first message, which says who asks. */
  initMs: 3_000,
  /** Between two questions whether somebody is there, and for the answer. */
  pingMs: 12_000,
} as const;
