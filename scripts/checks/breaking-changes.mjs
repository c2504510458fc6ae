// Breaking changes between two schemas, and which of them are announced.
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql';

const ANNOUNCED = /^- (\d{4}-\d{2}-\d{2}) · `([^`]+)` · \S/;

/**
 * @param {string} published SDL
 * @param {string} current SDL
 * @param {string} announcements Markdown with one line per intended change: `- date · `description by graphql-js` · reason`
 * @returns {{ unannounced: string[], dangerous: string[], obsolete: string[] }} breaking changes without an announcement; changes that may
 *   break some clients; announcements of changes that were not made
 */
export function compareSchemas(published, current, announcements) {
  const schemas = [buildSchema(published), buildSchema(current)];
  const breaking = findBreakingChanges(...schemas).map(({ description }) => description);
  const announced = announcements.split('\n').flatMap((line) => ANNOUNCED.exec(line)?.[2] ?? []);
  return {
    unannounced: breaking.filter((change) => !announced.includes(change)),
    dangerous: findDangerousChanges(...schemas).map(({ description }) => description),
    obsolete: announced.filter((change) => !breaking.includes(change)),
  };
}
