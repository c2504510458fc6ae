import { callModule } from '../../scripts/sent-document.mjs';

/** `name.graphql?call` as vite gives it. */
export default {
  process: (text) => ({ code: callModule(text) }),
};
