// Lets Node import this repository's TypeScript without a build, for tests and checks: `node --import ./scripts/typescript.mjs file.ts`.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
