import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  confidentialReadDecider,
  type Actor,
  type Authority,
  type ConfidentialKind,
} from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import { CommandRunner } from '../commands/command-runner.js';
import { ClaimHasher } from '../personal-data/claim-hash.js';
import { CLOCK, type Clock } from '../runtime/tokens.js';
import type { ReadScope } from './trace-rule.js';

const READ_NAMESPACE = '6f0d1f0a-0b52-5d0e-8a67-5f1f7d9c2b34';
/** The same read by the same person is told once in as long. */
const WINDOW_MS = 10 * 60_000;
/** About more people it is about the space. */
const MAX_PEOPLE = 30;

export interface Reader {
  readonly by: Authority;
  readonly actor: Actor;
  readonly correlationId?: string | undefined;
}

export interface ConfidentialRead {
  readonly what: ConfidentialKind;
  readonly scope: ReadScope;
  readonly isCopy: boolean;
}

/** Who looked at what members do not see, as events. */
@Injectable()
export class ConfidentialReads {
  constructor(
    private readonly runner: CommandRunner,
    private readonly hasher: ClaimHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Written when this resolves; what cannot be written must not be read. */
  async record(
    { by, actor, correlationId }: Reader,
    { what, scope, isCopy }: ConfidentialRead,
  ): Promise<void> {
    const filter = this.digestOf(scope.filter ?? null);
    const spaceIds = distinct(scope.spaceIds);
    const { caseId = null, post = null, rows } = scope;
    const window = Math.floor(this.clock().getTime() / WINDOW_MS);
    const people = distinct(scope.studentIds);
    const studentIds = people.length > MAX_PEOPLE ? [] : people;
    const same = [actor, what, spaceIds, caseId, post?.postId ?? null, filter, studentIds, window];
    const readId = isCopy ? randomUUID() : uuidv5(JSON.stringify(same), READ_NAMESPACE);
    const data = { readId, what, spaceIds, studentIds, post, caseId, filter, rows };
    await this.runner.run(
      { by, actor, commandId: readId, correlationId: correlationId ?? readId, causationId: readId },
      {
        on: aggregate(confidentialReadDecider, readId),
        decide: () => [{ type: 'ConfidentialDataRead', data }],
      },
    );
  }

  /** Keyed: what was looked for may be a phone number, which a plain hash would tell whoever tries them all. */
  private digestOf(filter: ReadScope['filter']): string | null {
    const given = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined && value !== null);
    if (given.length === 0) return null;
    const sorted = given.sort(([one], [other]) => (one < other ? -1 : 1));
    return this.hasher.hashSecret('read-filter', JSON.stringify(sorted)).toString('hex').slice(0, 32);
  }
}

const distinct = (ids: readonly string[] = []): readonly string[] =>
  [...new Set(ids.map((id) => id.toLowerCase()))].sort();
