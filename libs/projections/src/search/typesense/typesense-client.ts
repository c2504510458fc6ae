import { Client } from 'typesense';

export interface TypesenseServer {
  readonly url: string;
  readonly apiKey: string;
}

/** A search is answered by another engine after that long; shipping can wait. */
const SEARCH_SECONDS = 1;
const SHIPPING_SECONDS = 10;

const clientOf = ({ url, apiKey }: TypesenseServer, connectionTimeoutSeconds: number): Client => {
  const { protocol, hostname, port, pathname } = new URL(url);
  const isSecure = protocol === 'https:';
  return new Client({
    apiKey,
    connectionTimeoutSeconds,
    // Who asks decides what to do about a failure, and when to try again.
    numRetries: 0,
    logLevel: 'silent',
    nodes: [
      {
        host: hostname,
        port: port === '' ? (isSecure ? 443 : 80) : Number(port),
        protocol: isSecure ? 'https' : 'http',
        path: pathname.replace(/\/$/, ''),
      },
    ],
  });
};

export const searchClient = (server: TypesenseServer): Client => clientOf(server, SEARCH_SECONDS);
export const shippingClient = (server: TypesenseServer): Client => clientOf(server, SHIPPING_SECONDS);
