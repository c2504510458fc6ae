import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type * as connections from '../api/connection';
import type * as lazyParts from './loading';

let isAway = false;
let asked = 0;
let parts: typeof lazyParts;
let connection: typeof connections;

beforeEach(async () => {
  jest.useFakeTimers();
  isAway = false;
  asked = 0;
  globalThis.fetch = async () => {
    asked += 1;
    if (isAway) throw new TypeError('Failed to fetch');
    return new Response('{}');
  };
  jest.resetModules();
  [parts, connection] = await Promise.all([import('./loading'), import('../api/connection')]);
});
afterEach(() => {
  jest.useRealTimers();
});

const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

describe('a chunk of the app', () => {
  it('waits while the server is away, and loads when it is back', async () => {
    isAway = true;
    const load = jest
      .fn<() => Promise<string>>()
      .mockImplementation(() => (isAway ? lost() : Promise.resolve('the part')));
    let loaded: string | undefined;
    void parts.loadPart(load).then((part) => (loaded = part));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(loaded).toBeUndefined();
    expect(connection.isReached()).toBe(false);
    isAway = false;
    await jest.advanceTimersByTimeAsync(20_000);
    expect(loaded).toBe('the part');
    expect(connection.isReached()).toBe(true);
  });

  it('loads immediately on a manual retry', async () => {
    isAway = true;
    const load = jest
      .fn<() => Promise<string>>()
      .mockImplementation(() => (isAway ? lost() : Promise.resolve('the part')));
    const loading = parts.loadPart(load);
    await jest.advanceTimersByTimeAsync(60_000);
    isAway = false;
    await connection.tryNow();
    await expect(loading).resolves.toBe('the part');
  });

  it('requests its failed style sheet again, but not those still loading', async () => {
    const [failed, loading] = [document.createElement('link'), document.createElement('link')];
    for (const link of [failed, loading]) {
      link.rel = 'stylesheet';
      document.head.append(link);
    }
    const load = jest
      .fn<() => Promise<string>>()
      .mockImplementationOnce(() => {
        failed.dispatchEvent(new Event('error'));
        return lost();
      })
      .mockResolvedValue('the part');
    let loaded: string | undefined;
    void parts.loadPart(load).then((part) => (loaded = part));
    await jest.advanceTimersByTimeAsync(0);
    expect(failed.isConnected).toBe(false);
    expect(loading.isConnected).toBe(true);
    for (const link of document.querySelectorAll('link')) link.dispatchEvent(new Event('load'));
    await jest.advanceTimersByTimeAsync(0);
    expect(loaded).toBe('the part');
  });

  it('reloads the page once if the server has it and the browser cached its failure', async () => {
    document.head.insertAdjacentHTML('beforeend', '<meta name="nimo-build" content="this build">');
    jest.resetModules();
    parts = await import('./loading');
    globalThis.fetch = async () => new Response('{}', { headers: { 'x-web-version': 'this build' } });
    const settled = jest.fn();
    parts.loadPart(lost).then(settled, settled);
    await jest.advanceTimersByTimeAsync(60_000 - 1);
    expect(settled).not.toHaveBeenCalled();
    // jsdom does not reload.
    await expect(parts.loadPart(lost)).rejects.toBeInstanceOf(parts.MissingChunkError);
    document.querySelector('meta[name="nimo-build"]')?.remove();
    sessionStorage.clear();
  });

  it('is gone if the server responds without it', async () => {
    await expect(parts.loadPart(lost)).rejects.toBeInstanceOf(parts.MissingChunkError);
  });
});

describe('the connection', () => {
  it('backs off while nothing answers', async () => {
    isAway = true;
    connection.suspectOutage();
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(asked).toBeLessThan(50);
    expect(asked).toBeGreaterThan(30);
  });

  it('is not restored while the server responds with an error', async () => {
    globalThis.fetch = async () =>
      new Response('', { status: 503, headers: { 'x-web-version': 'this build' } });
    const recovered = jest.fn();
    connection.onRecovery(recovered);
    connection.suspectOutage();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(connection.isReached()).toBe(false);
    expect(recovered).not.toHaveBeenCalled();
  });

  it('sends nothing while all is well, however often a failure is suspected', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(0);
    connection.suspectOutage();
    connection.suspectOutage();
    await jest.advanceTimersByTimeAsync(0);
    expect(asked).toBe(1);
  });
});
