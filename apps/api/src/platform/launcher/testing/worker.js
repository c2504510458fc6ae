// Stands in for the worker.
import process from 'node:process';
import { toldPort } from './told-port.js';

for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit(0));
await toldPort();
process.send({ ready: true });
