/** The event log as the domain knows it: personal data opened, old shapes lifted. */
export const EVENT_STORE = Symbol('nimo:event-store');
/** The event log as it is stored: personal data sealed, old shapes as they were. */
export const STORED_LOG = Symbol('nimo:stored-log');
export const SETTINGS = Symbol('nimo:settings');
export const LOGGER = Symbol('nimo:logger');
/** The time, replaced in tests. */
export const CLOCK = Symbol('nimo:clock');
export type Clock = () => Date;
/** The time of the database, which is one for all processes; replaced in tests with the other. */
export const SHARED_CLOCK = Symbol('nimo:shared-clock');
export type SharedClock = () => Promise<Date>;
