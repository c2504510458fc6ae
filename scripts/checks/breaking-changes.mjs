// What a schema takes away from those who use the published one, and which of it is announced.
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql';

const ANNOUNCED = /^- (\d{4}-\d{2}-\d{2}) · `([^`]+)` · \S/;

/**
 * @param {string} published SDL that clients were made for
 * @param {string} current SDL of this version
 * @param {string} announcements Markdown, with a line `- date · `what graphql-js says` · why` for each change that is meant
 * @returns {{ unannounced: string[], dangerous: string[], obsolete: string[] }} breaking changes that nobody announced; changes that may
 *   surprise a client; announcements of what is not changed
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
