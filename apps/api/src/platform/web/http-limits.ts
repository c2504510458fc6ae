/** How long somebody may take, and how much they may send before we know who they are. */
export const HTTP_LIMITS = {
  /** For the line and the headers of a request; also for a connection on which nothing is said at all. */
  headersMs: 10_000,
  /** For a whole request with its body: the longest is a picture over a slow line. */
  requestMs: 120_000,
  /** For any other body. */
  bodyMs: 20_000,
  /** Without a byte in either direction while an answer is made or read. */
  silentMs: 120_000,
  /** How often the connections are looked at. */
  lookMs: 2_000,
  headerBytes: 16 * 1024,
  /** Of any body but a picture. The longest text is 64 kB, in JSON at worst six times as long. */
  bodyBytes: 512 * 1024,
  /** Of all bodies that are being read at once, and those of one client. */
  bodiesBytes: 32 * 1024 * 1024,
  clientBodiesBytes: 8 * 1024 * 1024,
  /** The same of pictures. */
  picturesBytes: 64 * 1024 * 1024,
  clientPicturesBytes: 32 * 1024 * 1024,
  /** For room among the pictures that are being read. */
  pictureWaitMs: 10_000,
} as const;

/** For the server of Node; headers and connections are looked at more often than its half minute. */
export const SERVER_OPTIONS = {
  headersTimeout: HTTP_LIMITS.headersMs,
  requestTimeout: HTTP_LIMITS.requestMs,
  connectionsCheckingInterval: HTTP_LIMITS.lookMs,
  maxHeaderSize: HTTP_LIMITS.headerBytes,
} as const;
