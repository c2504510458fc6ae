export { hasSearchDocuments } from './embedded/sources.js';
export { ThreadedSearch } from './embedded/threaded-search.js';
export type * from './search-engine.js';
export { sortedPeople, sortedTopics } from './sorted-names.js';
export { searchClient, shippingClient, type TypesenseServer } from './typesense/typesense-client.js';
export { TypesenseSearch } from './typesense/typesense-search.js';
export { TypesenseShipper } from './typesense/typesense-shipper.js';
