import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BatchingSocket } from './connections.js';

describe('BatchingSocket', () => {
  let folder: string;
  let server: Server;
  let socket: BatchingSocket;
  let received: Promise<string>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nimo-socket-'));
    server = createServer();
    received = new Promise((resolve) => {
      server.once('connection', (connection) => {
        let text = '';
        connection.on('data', (part) => (text += part.toString())).on('end', () => resolve(text));
      });
    });
    server.listen(join(folder, 'socket'));
    await once(server, 'listening');
    socket = new BatchingSocket();
    socket.connect(join(folder, 'socket'));
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  it('sends all writes of one event loop turn together and in order, including those of its microtasks', async () => {
    const sent = jest.spyOn(socket, '_writev' as never);
    const write = (text: string): Promise<void> =>
      new Promise((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
    const written = [write('a'), write('b'), Promise.resolve().then(() => write('c'))];
    expect(sent).not.toHaveBeenCalled();
    await Promise.all(written);
    expect(sent).toHaveBeenCalledTimes(1);
    socket.write('d', 'utf8');
    socket.end('e');
    expect(await received).toBe('abcde');
  });
});
