// Stands in for the API: serves its PID for the launcher's spec.
import { createServer } from 'node:http';
import process from 'node:process';
import { portFromParent } from './port-from-parent.js';

for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit(0));
const server = createServer((_request, response) => response.end(String(process.pid)));
server.listen(await portFromParent(), '127.0.0.1', () =>
  process.send({ ready: true, port: server.address().port }),
);
