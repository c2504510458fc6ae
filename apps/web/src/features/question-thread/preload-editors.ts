import { preloadParts } from '../../lib/browser/loading';

/** Chunks needed to write; `/ask` is part of the first. */
const parts = [
  () => import('../questions/question-form'),
  () => import('../editor/rich-text-editor'),
  () => import('../comments/comment-editor'),
];

/** Preloads the editors when idle, so that writing starts instantly and works offline. */
export const preloadEditors = (): (() => void) => preloadParts(parts);
