export * from './events.js';
export * from './metadata.js';
