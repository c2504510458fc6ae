export { isCleanHtml, repairTruncatedHtml } from './clean-html.js';
export {
  EXCERPT_LENGTH,
  excerptOf,
  formulaSpansOf,
  markedTextOf,
  plainTextOf,
  withoutFormulaMarks,
} from './plain-text.js';
export { RICH_TEXT_VERSION } from './rules.js';
export { cleanHtml, type ReplaceAddress, sanitiseRichText } from './sanitise.js';
export { withDirections, withSpaces } from './static-page.js';
