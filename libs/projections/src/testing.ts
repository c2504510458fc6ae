export { Past } from './testing/past.fixture.js';
export { TypesenseDouble } from './search/typesense/testing/typesense-double.js';
