import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import {
  namesAlias,
  postsAlias,
  searchClient,
  shippingClient,
  type TypesenseServer,
} from '../typesense-client.js';
import { TypesenseSearch } from '../typesense-search.js';
import { TypesenseShipper, type TypesenseShipperOptions } from '../typesense-shipper.js';

/** An engine and its shipper with collections of their own on that server; errors in the background are kept. */
export async function openTypesense(
  pool: Pool,
  server: TypesenseServer,
  options: Partial<TypesenseShipperOptions> = {},
) {
  const prefix = `nimo_test_${randomUUID().slice(0, 8)}`;
  const errors: unknown[] = [];
  const client = shippingClient(server);
  const onError = (error: unknown) => void errors.push(error);
  const shipper = new TypesenseShipper({ client, pool, prefix, onError, lookMs: 5, ...options });
  return {
    shipper,
    prefix,
    errors,
    engine: new TypesenseSearch({ client: searchClient(server), db: pool, prefix }),
    settled: async (): Promise<void> => {
      await shipper.catchUp();
    },
    close: async () => {
      await shipper.stop();
      for (const alias of [postsAlias(prefix), namesAlias(prefix)]) {
        const known = (await client.aliases().retrieve()).aliases.find(({ name }) => name === alias);
        if (!known) continue;
        // A server that lost everything was perhaps not given all of it again.
        if (await client.collections(known.collection_name).exists())
          await client.collections(known.collection_name).delete();
        await client.aliases(alias).delete();
      }
    },
  };
}
