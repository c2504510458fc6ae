// Lets node import this repository's TypeScript as it stands, for tests and checks: `node --import ./scripts/typescript.mjs file.ts`.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
