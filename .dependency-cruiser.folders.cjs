const { options } = require('./.dependency-cruiser.cjs');

/**
 * A separate run without specs, which may use parent folders. A folder and the files next to it may use each other: that is nesting, not a cycle.
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
