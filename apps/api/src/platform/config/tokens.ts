/** The event log with personal data decrypted and events upcast. */
export const EVENT_STORE = Symbol('nimo:event-store');
/** The event log as stored: personal data encrypted, original schema versions. */
export const STORED_LOG = Symbol('nimo:stored-log');
export const SETTINGS = Symbol('nimo:settings');
export const LOGGER = Symbol('nimo:logger');
/** The current time; replaced in tests. */
export const CLOCK = Symbol('nimo:clock');
export type Clock = () => Date;
/** The database's time, shared by all processes; replaced in tests. */
export const SHARED_CLOCK = Symbol('nimo:shared-clock');
export type SharedClock = () => Promise<Date>;
