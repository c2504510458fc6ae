export { TypesenseDouble } from './search/typesense/testing/typesense-double.js';
