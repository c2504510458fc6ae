import { preloadParts } from '../../lib/browser/loading';

/** The editor's file, with everything a post is written with; `/ask` is in it. */
const parts = [
  () => import('../questions/question-form'),
  () => import('../editor/rich-text-editor'),
  () => import('../comments/comment-editor'),
];

/** Fetches the editor while nobody waits: writing begins at once, and goes on where the connection is lost. */
export const preloadWriting = (): (() => void) => preloadParts(parts);
