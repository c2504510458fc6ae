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
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|spec\\.tsx?$|/testing/|testing\\.tsx?$` },
  },
};
