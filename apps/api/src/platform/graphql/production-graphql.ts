import { createRequire } from 'node:module';

/**
 * graphql-js looks at NODE_ENV when it is loaded, and then compares every value's type at length to find a second copy of itself.
 * There is one copy here, so it is loaded as in production, whatever the product runs as. To be imported before all others.
 */
const given = process.env['NODE_ENV'];
process.env['NODE_ENV'] = 'production';
createRequire(import.meta.url)('graphql');
if (given === undefined) delete process.env['NODE_ENV'];
else process.env['NODE_ENV'] = given;
