/** The event log as the domain knows it: personal data opened, old shapes lifted. */
export const EVENT_STORE = Symbol('nimo:event-store');
/** The time, replaced in tests. */
export const CLOCK = Symbol('nimo:clock');
export type Clock = () => Date;
