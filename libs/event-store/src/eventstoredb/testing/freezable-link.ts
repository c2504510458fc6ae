import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A way to a server that can stop to carry anything while all connections stay open, as those of a process that was stopped do. */
export class FreezableLink {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private isFrozen = false;

  private constructor(farPort: number) {
    this.server = createServer((near) => this.carry({ near, far: connect(farPort, HOST) }));
  }

  static async start(farPort: number, port = 0): Promise<FreezableLink> {
    const link = new FreezableLink(farPort);
    link.server.listen(port, HOST);
    await once(link.server, 'listening');
    return link;
  }

  get port(): number {
    // It listens on a port, not on a path.
    return (this.server.address() as AddressInfo).port;
  }

  freeze(): void {
    this.isFrozen = true;
    for (const { near, far } of this.pairs) for (const socket of [near, far]) socket.unpipe().pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const pair of this.pairs) flow(pair);
  }

  stop(): void {
    this.server.close();
    for (const { near, far } of this.pairs) for (const socket of [near, far]) socket.destroy();
  }

  private carry(pair: Pair): void {
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      pair.near.destroy();
      pair.far.destroy();
    };
    for (const socket of [pair.near, pair.far]) socket.on('error', end).on('close', end);
    if (!this.isFrozen) flow(pair);
  }
}

function flow({ near, far }: Pair): void {
  near.pipe(far);
  far.pipe(near);
}
