import type { Key, ProjectedEvent, Projection, Table } from '../projection.js';

export type PictureHolder = 'QUESTION' | 'ANSWER' | 'STUDENT' | 'SPACE' | 'TOPIC' | 'AVATAR';

/** What a holder shows of the pictures that were uploaded, and what it ever showed: one that was taken off is not a new one. */
export type PicturesRow = {
  readonly holder_type: PictureHolder;
  readonly holder_id: string;
  readonly shown: readonly string[];
  readonly seen: readonly string[];
};

interface Holding {
  readonly type: PictureHolder;
  readonly id: string;
  /** Locations; null where the event is of an erased person. */
  readonly urls: readonly (string | null)[];
}

/** Built-in drawings and pictures of elsewhere are nobody's upload. */
const isUpload = (url: string | null): url is string => url?.startsWith('/media/') ?? false;

function holdingOf(event: ProjectedEvent): Holding | undefined {
  switch (event.type) {
    case 'QuestionAsked':
    case 'QuestionEdited':
      return { type: 'QUESTION', id: event.data.questionId, urls: event.data.imageUrls };
    case 'AnswerPosted':
    case 'AnswerEdited':
      return { type: 'ANSWER', id: event.data.answerId, urls: event.data.imageUrls };
    case 'StudentRegistered':
    case 'StudentProfileChanged':
    case 'StudentImported':
      return { type: 'STUDENT', id: event.data.studentId, urls: [event.data.realProfilePicUrl] };
    case 'StudentErased':
      return { type: 'STUDENT', id: event.data.studentId, urls: [] };
    case 'SpaceCreated':
    case 'SpaceChanged':
      return { type: 'SPACE', id: event.data.spaceId, urls: [event.data.bannerImageUrl] };
    case 'TopicCreated':
    case 'TopicChanged':
    case 'TopicNameTaken':
      return { type: 'TOPIC', id: event.data.topicId, urls: [event.data.imageS3Url] };
    case 'AvatarAdded':
    case 'AvatarChanged':
    case 'AvatarRetired':
    case 'AvatarRestored':
      return { type: 'AVATAR', id: event.data.avatarId, urls: [event.data.imageUrl] };
    default:
      return undefined;
  }
}

const pictures: Table<PicturesRow> = {
  name: 'pictures',
  columns: {
    holder_type: { type: 'text' },
    holder_id: { type: 'text' },
    shown: { type: 'text[]' },
    seen: { type: 'text[]' },
  },
  key: ['holder_type', 'holder_id'],
  indexes: ['create index pictures_seen_{suffix} on {table} using gin (seen)'],
  keysOf(event): readonly Key[] {
    const holding = holdingOf(event);
    return holding ? [[holding.type, holding.id]] : [];
  },
  fold(row, event) {
    const holding = holdingOf(event);
    // Locations of an erased person's pictures are theirs as well.
    if (!holding || event.type === 'StudentErased') return undefined;
    const shown = holding.urls.filter(isUpload);
    const seen = [...new Set([...(row?.seen ?? []), ...shown])];
    if (seen.length === 0) return undefined;
    return { holder_type: holding.type, holder_id: holding.id, shown, seen };
  },
};

/** Where uploaded pictures are shown: whether one is still served, and whether it is still needed, is asked here. */
export const picturesProjection = {
  name: 'pictures',
  purpose: 'Where uploaded pictures are shown',
  version: 1,
  tables: [pictures],
} as const satisfies Projection;
