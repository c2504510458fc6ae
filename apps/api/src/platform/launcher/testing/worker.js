// Stands in for the worker.
import process from 'node:process';

process.send({ ready: true });
for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit(0));
