import { EventStoreDbDouble } from '../../libs/event-store/src/eventstoredb/testing/eventstoredb-double.js';

/** The double in a process of its own, so that contestants do not share a processor core's time with the server they measure. */
const double = await EventStoreDbDouble.start();
process.on('SIGTERM', () => void double.stop().then(() => process.exit(0)));
process.send?.({ port: double.port });
