/** Server-side functions for web tests that follow a body from the editor to the read models and back. */
export { sanitiseRichText as storedBody } from '../libs/rich-text/src/sanitise.js';
export { excerptOf, withoutFormulaMarks } from '../libs/rich-text/src/plain-text.js';
