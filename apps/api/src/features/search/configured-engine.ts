import { type SearchEngine, searchClient, TypesenseSearch, type TypesenseServer } from '@nimo/projections';
import type { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';

/** The engine that a setting moved the search to; undefined where it is embedded. */
export const CONFIGURED_ENGINE = Symbol('nimo:configured-engine');

/** The settings come together or not at all. */
export const typesenseServer = ({ typesenseUrl, typesenseApiKey }: Settings): TypesenseServer | undefined =>
  typesenseUrl !== undefined && typesenseApiKey !== undefined
    ? { url: typesenseUrl, apiKey: typesenseApiKey }
    : undefined;

export function configuredEngine(settings: Settings, db: Pool): SearchEngine | undefined {
  const server = typesenseServer(settings);
  return server && new TypesenseSearch({ client: searchClient(server), db });
}
