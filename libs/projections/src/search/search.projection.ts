import type { Projection } from '../projection.js';
import { searchDocuments } from './search-documents.table.js';
import { searchNames } from './search-names.table.js';

/** What is searched, each row with the version that followers (indexes in memory, the shipper) catch up by. */
export const searchProjection = {
  name: 'search',
  purpose: 'Documents and words for the search',
  version: 6,
  lingers: true,
  tables: [searchDocuments, searchNames],
} as const satisfies Projection;
