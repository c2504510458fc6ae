import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Where a connection is cut. */
export const CUTS = [
  'before the request',
  'within the request',
  'while it is done',
  'before the answer',
  'within the answer',
  'after the answer',
] as const;
export type Cut = (typeof CUTS)[number];

export interface CuttingProxy {
  readonly url: string;
  /** How often somebody connected. */
  connections(): number;
  close(): Promise<void>;
}

/** Half of what comes behind the head of a message; undefined while its head is not there. */
function halfOf(message: Buffer): Buffer | undefined {
  const head = message.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const body = message.length - head - 4;
  return body === 0 ? undefined : message.subarray(0, head + 4 + Math.floor(body / 2));
}

function isWhole(request: Buffer): boolean {
  const head = request.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(request.subarray(0, head).toString())?.[1];
  return head !== -1 && request.length >= head + 4 + Number(length ?? 0);
}

/** Stands before a server on the loopback, cuts the first connection there and lets all others through. */
export async function cuttingProxy(target: string, cut: Cut): Promise<CuttingProxy> {
  const { port } = new URL(target);
  const open = new Set<Socket>();
  let count = 0;
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    count += 1;
    const isFirst = count === 1;
    if (isFirst && cut === 'before the request') return void client.resetAndDestroy();
    const api = keep(connect(Number(port), '127.0.0.1'));
    client.on('close', () => {
      // Who began goes on, and says it to nobody.
      if (cut === 'while it is done' && isFirst) api.end();
      else api.destroy();
    });
    api.on('close', () => client.destroy());
    if (!isFirst) {
      client.pipe(api);
      api.pipe(client);
      return;
    }
    cutRequests(client, api, cut);
    cutAnswers(client, api, cut);
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
    if (!isWhole(sent)) return;
    if (cut === 'within the request')
      return void api.write(halfOf(sent) ?? '', () => {
        api.destroy();
        client.resetAndDestroy();
      });
    api.write(sent, () => cut === 'while it is done' && client.resetAndDestroy());
    sent = Buffer.alloc(0);
  });
}

function cutAnswers(client: Socket, api: Socket, cut: Cut): void {
  let answered = Buffer.alloc(0);
  api.on('data', (chunk) => {
    if (client.destroyed) return;
    if (cut === 'before the answer') return void client.resetAndDestroy();
    if (cut !== 'within the answer') return void client.write(chunk);
    answered = Buffer.concat([answered, chunk]);
    const half = halfOf(answered);
    if (half) client.write(half, () => client.destroy());
  });
}
