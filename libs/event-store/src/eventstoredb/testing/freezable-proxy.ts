import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

/** A TCP proxy that can stop forwarding while all connections stay open, like a suspended process. */
export class FreezableProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private isFrozen = false;

  private constructor(upstreamPort: number) {
    this.server = createServer((client) => this.addPair({ client, upstream: connect(upstreamPort, HOST) }));
  }

  static async start(upstreamPort: number, port = 0): Promise<FreezableProxy> {
    const proxy = new FreezableProxy(upstreamPort);
    proxy.server.listen(port, HOST);
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    // Always an AddressInfo, because it listens on a port.
    return (this.server.address() as AddressInfo).port;
  }

  freeze(): void {
    this.isFrozen = true;
    for (const { client, upstream } of this.pairs)
      for (const socket of [client, upstream]) socket.unpipe().pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const pair of this.pairs) forward(pair);
  }

  stop(): void {
    this.server.close();
    for (const { client, upstream } of this.pairs) for (const socket of [client, upstream]) socket.destroy();
  }

  private addPair(pair: Pair): void {
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      pair.client.destroy();
      pair.upstream.destroy();
    };
    for (const socket of [pair.client, pair.upstream]) socket.on('error', end).on('close', end);
    if (!this.isFrozen) forward(pair);
  }
}

function forward({ client, upstream }: Pair): void {
  client.pipe(upstream);
  upstream.pipe(client);
}
