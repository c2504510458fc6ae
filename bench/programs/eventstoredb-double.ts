import { EventStoreDbDouble } from '../../libs/event-store/src/eventstoredb/testing/eventstoredb-double.js';

/** Runs the double in its own process, so that contestants do not share CPU time with the server they measure. */
const double = await EventStoreDbDouble.start();
process.on('SIGTERM', () => void double.stop().then(() => process.exit(0)));
process.send?.({ port: double.port });
