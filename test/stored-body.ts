/** For tests that follow a body from the editor to the read models and back, over the boundary between browser and server. */
export { sanitiseRichText as storedBody } from '../libs/projections/src/rich-text/sanitise.js';
export { excerptOf, withoutFormulaMarks } from '../libs/projections/src/excerpt.js';
