/** For tests that follow a body from the editor to the read models and back, over the boundary between browser and server. */
export { sanitiseRichText as storedBody } from '../libs/rich-text/src/sanitise.js';
export { excerptOf, withoutFormulaMarks } from '../libs/rich-text/src/plain-text.js';
