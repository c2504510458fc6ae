import { paths } from '../../app/paths';
import type { AuditLineFragment } from '../../generated/graphql';

const VOTED_ON: ReadonlySet<string> = new Set(['QUESTION', 'ANSWER']);

/**
 * Where the votes that a line is about are chosen for a case: those of its voter, for its author, on its post, as far as it names them.
 * Null for a line of no space, and for one that names none of these.
 */
export function judgePathOf({ space, class: kind, voter, receiver, post }: AuditLineFragment): string | null {
  if (!space) return null;
  const named = {
    // Of a report it is who reported; a stand-in of an import is nobody whose votes are judged.
    voter: kind !== 'REPORT' && voter && !voter.isStandIn ? voter._id : undefined,
    author: receiver?._id,
    post: post && VOTED_ON.has(post.postType) ? post._id : undefined,
  };
  const told = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return told.length === 0 ? null : paths.votesToJudge({ space: space._id, ...Object.fromEntries(told) });
}
