const { options } = require('./.dependency-cruiser.cjs');

/**
 * A run of its own, without specs: tests use folders above their own. A folder may use the files beside it in its parent, and the parent what
 * is in the folder: that is nesting, not a cycle.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: {
        // Known exceptions: GraphQL types name each other across these features (an answer its author, a student their spaces), and signing in
        // weaves accounts, codes, mail and second factors together.
        pathNot:
          '^apps/api/src/features/(answers|avatars|comments|email-accounts|invitations|leaderboard|otp|posts|questions|reports|search|second-factor|sessions|spaces|students(/commands)?|topics|uploads)$',
      },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|spec\\.tsx?$|/testing/|testing\\.tsx?$` },
  },
};
