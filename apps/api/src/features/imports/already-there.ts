import {
  bookmarkStream,
  commentStream,
  answerStream,
  membershipStream,
  questionStream,
  topicSlug,
  topicStream,
  voteStream,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { ImportIds } from './import-ids.js';
import type { Planned } from './staging.js';

const AT_ONCE = 500;

interface Trace {
  readonly streamId: string;
  /** Id of the command that wrote it, where other commands write into the same stream first. */
  readonly commandId?: string;
}

/** Each part of the plan with whether an earlier run of this import brought it in, by what the log says. */
export async function* alreadyThere(
  plan: AsyncIterable<Planned>,
  { store, ids, spaceId }: { readonly store: EventStore; readonly ids: ImportIds; readonly spaceId: string },
): AsyncGenerator<readonly [planned: Planned, isThere: boolean]> {
  let page: (readonly [Planned, Trace])[] = [];
  const looked = async (): Promise<(readonly [Planned, boolean])[]> => {
    const streams = await store.readStreams([...new Set(page.map(([, { streamId }]) => streamId))]);
    return page.map(([planned, { streamId, commandId }]) => {
      const events = streams.get(streamId) ?? [];
      const isThere =
        commandId === undefined
          ? events.length > 0
          : events.some(({ metadata }) => metadata['commandId'] === commandId);
      return [planned, isThere];
    });
  };
  for await (const planned of plan) {
    page.push([planned, traceOf(planned, ids, spaceId)]);
    if (page.length < AT_ONCE) continue;
    yield* await looked();
    page = [];
  }
  yield* await looked();
}

function traceOf(planned: Planned, ids: ImportIds, spaceId: string): Trace {
  const { kind, author, voter, question, post, postKind } = planned;
  const id = planned.id ?? 0;
  const postId = (): string => (postKind === 'question' ? ids.question(post ?? 0) : ids.answer(post ?? 0));
  switch (kind) {
    case 'topic':
      return { streamId: topicStream(ids.created('subject', 'subject'), topicSlug(author ?? '')) };
    case 'person':
      return { streamId: membershipStream(spaceId, ids.student(author ?? '')) };
    case 'stand-in':
      return { streamId: membershipStream(spaceId, ids.standIn(voter ?? 0)) };
    case 'question':
      return { streamId: questionStream(ids.question(id)) };
    case 'answer':
      return { streamId: answerStream(ids.answer(id)) };
    case 'comment':
      return { streamId: commentStream(ids.comment(id)) };
    case 'up':
    case 'down':
      return { streamId: voteStream(postId(), ids.standIn(voter ?? 0)) };
    case 'bookmark':
      return { streamId: bookmarkStream(ids.question(post ?? 0), ids.student(author ?? '')) };
    case 'accept':
      return {
        streamId: questionStream(ids.question(question ?? 0)),
        commandId: ids.command(`accept:${question}`),
      };
  }
}
