import { callModule } from '../../scripts/sent-document.mjs';

/** Transforms `name.graphql?call` like Vite does. */
export default {
  process: (text) => ({ code: callModule(text) }),
};
