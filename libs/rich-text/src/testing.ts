export { type Attack, ATTACKS, isInert, shortLabel } from './testing/attacks.js';
export { HOSTILE_HTML } from './testing/hostile-html.js';
