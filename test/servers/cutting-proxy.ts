import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** When a connection is cut. */
export const CUTS = [
  'before the request',
  'during the request',
  'during execution',
  'before the response',
  'during the response',
  'after the response',
] as const;
export type Cut = (typeof CUTS)[number];

export interface CuttingProxy {
  readonly url: string;
  /** Number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** The message with half of its body; undefined if it has no complete head or no body. */
function halfOf(message: Buffer): Buffer | undefined {
  const head = message.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const body = message.length - head - 4;
  return body === 0 ? undefined : message.subarray(0, head + 4 + Math.floor(body / 2));
}

function isComplete(request: Buffer): boolean {
  const head = request.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(request.subarray(0, head).toString())?.[1];
  return head !== -1 && request.length >= head + 4 + Number(length ?? 0);
}

/** Starts a proxy to a local server that cuts the first connection and forwards all others. */
export async function cuttingProxy(target: string, cut: Cut): Promise<CuttingProxy> {
  const { port } = new URL(target);
  const open = new Set<Socket>();
  let count = 0;
  const track = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    count += 1;
    const isFirst = count === 1;
    if (isFirst && cut === 'before the request') return void client.resetAndDestroy();
    const api = track(connect(Number(port), '127.0.0.1'));
    client.on('close', () => {
      // Half-closes, so that the API finishes the request without a client.
      if (cut === 'during execution' && isFirst) api.end();
      else api.destroy();
    });
    api.on('close', () => client.destroy());
    if (!isFirst) {
      client.pipe(api);
      api.pipe(client);
      return;
    }
    cutRequests(client, api, cut);
    cutResponses(client, api, cut);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function cutRequests(client: Socket, api: Socket, cut: Cut): void {
  let sent = Buffer.alloc(0);
  client.on('data', (chunk) => {
    sent = Buffer.concat([sent, chunk]);
    if (!isComplete(sent)) return;
    if (cut === 'during the request')
      return void api.write(halfOf(sent) ?? '', () => {
        api.destroy();
        client.resetAndDestroy();
      });
    api.write(sent, () => cut === 'during execution' && client.resetAndDestroy());
    sent = Buffer.alloc(0);
  });
}

function cutResponses(client: Socket, api: Socket, cut: Cut): void {
  let received = Buffer.alloc(0);
  api.on('data', (chunk) => {
    if (client.destroyed) return;
    if (cut === 'before the response') return void client.resetAndDestroy();
    if (cut !== 'during the response') return void client.write(chunk);
    received = Buffer.concat([received, chunk]);
    const half = halfOf(received);
    if (half) client.write(half, () => client.destroy());
  });
}
