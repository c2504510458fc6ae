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
        // Known exceptions. Accounts, codes by phone and uploads need each other while somebody signs up; the second factor is mailed about and
        // guards changes of the address. Closed by splitting `students` into accounts and profiles.
        pathNot:
          '^apps/api/src/features/(avatars|otp|students(/commands)?|uploads|email-accounts|second-factor)$',
      },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|spec\\.tsx?$|/testing/|testing\\.tsx?$` },
  },
};
