export { TypesenseDouble } from './typesense/testing/typesense-double.js';
