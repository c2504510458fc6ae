import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { readEventStoreAddress, shownEventStoreAddress } from './event-store-address.js';
import { clientAddress } from './eventstoredb/connect.js';

interface ClientOptions {
  readonly dnsDiscover: boolean;
  readonly hosts: readonly { readonly address: string; readonly port: number }[];
  readonly defaultCredentials?: { readonly username: string; readonly password: string };
}

const require = createRequire(import.meta.url);
// By path: the package does not export it.
const { parseConnectionString } = require(
  require.resolve('@eventstore/db-client').replace(/index\.js$/, 'Client/parseConnectionString.js'),
) as { parseConnectionString: (text: string) => ClientOptions };

const ACCEPTED = [
  ['esdb://a:2113', ['a:2113']],
  ['esdb://a', ['a']],
  ['esdb://127.0.0.1:2113?tls=false', ['127.0.0.1:2113']],
  ['esdb://a:2113,b:2114,c:2115', ['a:2113', 'b:2114', 'c:2115']],
  ['esdb://a:1,b:2/?tls=true&tlsCAFile=%2Fca.crt', ['a:1', 'b:2']],
  ['esdb+discover://cluster.example:2113', ['cluster.example:2113']],
  ['kurrentdb+discover://u:p%40%3A@a:2113,b:2113?tls=true', ['a:2113', 'b:2113']],
  ['kurrentdb://u:p@a-1.example:2113', ['a-1.example:2113']],
] as const;

describe('event store address', () => {
  it.each(ACCEPTED)('parses %s as the client does', (text, nodes) => {
    const read = readEventStoreAddress(text);
    expect(read?.nodes).toEqual(nodes);
    const { hosts, defaultCredentials } = parseConnectionString(clientAddress(text));
    expect(hosts.map(({ address }) => address)).toEqual(nodes.map((node) => node.replace(/:.*/, '')));
    expect(read?.hasUser).toBe(defaultCredentials !== undefined);
  });

  it.each([
    '',
    'postgresql://a/b',
    'esdb://',
    'esdb://a:2113,',
    'esdb://a:2113,,b:2113',
    'esdb://a:port',
    'esdb://a:70000',
    'esdb://a:1:2',
    'esdb://u:p:q@a:2113',
    'esdb://u@a:2113',
    'esdb://a:2113?tls',
    'esdb://a b:2113',
    'esdb+dns://a:2113',
  ])('rejects "%s"', (text) => {
    expect(readEventStoreAddress(text)).toBeUndefined();
  });

  it('is displayed without secrets', () => {
    const read = readEventStoreAddress('esdb+discover://u:hush@a:1,b:2?tls=true&userKeyFile=hush');
    expect(read && shownEventStoreAddress(read)).toBe('esdb+discover://a:1,b:2');
  });

  it('leaves DNS discovery of a single name to the client, and uses a list as seed nodes', () => {
    expect(parseConnectionString(clientAddress('esdb+discover://a:1')).dnsDiscover).toBe(true);
    expect(parseConnectionString(clientAddress('kurrentdb+discover://a:1,b:2')).dnsDiscover).toBe(false);
  });
});
