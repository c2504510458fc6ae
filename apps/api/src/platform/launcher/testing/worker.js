// Stands in for the worker.
import process from 'node:process';
import { portFromParent } from './port-from-parent.js';

for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit(0));
await portFromParent();
process.send({ ready: true });
