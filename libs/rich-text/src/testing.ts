export { type Attack, ATTACKS, isInert, shortly } from './testing/attacks.js';
export { HOSTILE_HTML } from './testing/hostile-html.js';
