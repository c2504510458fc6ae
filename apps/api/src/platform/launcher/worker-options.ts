/**
 * Options of node for the worker. Rows of a rebuild live from a page to the next flush: longer than the usual young generation of 16 MB lets
 * them, and so each was copied twice and then collected with the old ones. docker-compose.yml and `npm run bench` say the same.
 */
export const WORKER_OPTIONS = ['--max-semi-space-size=64'];
