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

/** Opens an engine and a shipper with their own collections. Background errors are collected in `errors`. */
export async function openTypesense(
  pool: Pool,
  server: TypesenseServer,
  options: Partial<TypesenseShipperOptions> = {},
) {
  const prefix = `nimo_test_${randomUUID().slice(0, 8)}`;
  const errors: unknown[] = [];
  const client = shippingClient(server);
  const onError = (error: unknown) => void errors.push(error);
  const shipper = new TypesenseShipper({ client, pool, prefix, onError, pollMs: 5, ...options });
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
        // The collection may be missing if the server lost its data.
        if (await client.collections(known.collection_name).exists())
          await client.collections(known.collection_name).delete();
        await client.aliases(alias).delete();
      }
    },
  };
}
