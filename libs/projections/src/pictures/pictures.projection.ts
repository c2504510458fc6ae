import {
  type Columns,
  type Handler,
  holding,
  type Projected,
  type ProjectedEvent,
  type Projection,
  type RowOf,
  type Table,
} from '../projection.js';

export type PictureHolder = 'QUESTION' | 'ANSWER' | 'STUDENT' | 'SPACE' | 'TOPIC' | 'AVATAR';

const COLUMNS = {
  holder_type: holding<PictureHolder>('text'),
  holder_id: { type: 'text' },
  shown: { type: 'text[]' },
  seen: { type: 'text[]' },
} as const satisfies Columns;

/** What a holder shows of the pictures that were uploaded, and what it ever showed: one that was taken off is not a new one. */
export type PicturesRow = RowOf<typeof COLUMNS>;

/** Built-in drawings and pictures of elsewhere are nobody's upload. */
const isUpload = (url: string | null): url is string => url?.startsWith('/media/') ?? false;

interface Shown {
  readonly id: string;
  /** Locations; null where the event is of an erased person. */
  readonly urls: readonly (string | null)[];
}

/** The event tells all that the holder shows from now on. */
const showing = <E extends ProjectedEvent>(
  type: PictureHolder,
  shownIn: (event: E) => Shown,
): Handler<PicturesRow, E> => ({
  keys: (event) => [[type, shownIn(event).id]],
  fold(row, event) {
    const { id, urls } = shownIn(event);
    const shown = urls.filter(isUpload);
    const seen = [...new Set([...(row?.seen ?? []), ...shown])];
    if (seen.length === 0) return undefined;
    return { holder_type: type, holder_id: id, shown, seen };
  },
});

const ofQuestion = showing<Projected<'QuestionAsked' | 'QuestionEdited'>>('QUESTION', ({ data }) => ({
  id: data.questionId,
  urls: data.imageUrls,
}));
const ofAnswer = showing<Projected<'AnswerPosted' | 'AnswerEdited'>>('ANSWER', ({ data }) => ({
  id: data.answerId,
  urls: data.imageUrls,
}));
const ofStudent = showing<Projected<'StudentRegistered' | 'StudentProfileChanged' | 'StudentImported'>>(
  'STUDENT',
  ({ data }) => ({ id: data.studentId, urls: [data.realProfilePicUrl] }),
);
const ofSpace = showing<Projected<'SpaceCreated' | 'SpaceChanged'>>('SPACE', ({ data }) => ({
  id: data.spaceId,
  urls: [data.bannerImageUrl],
}));
const ofTopic = showing<Projected<'TopicCreated' | 'TopicChanged' | 'TopicNameTaken'>>(
  'TOPIC',
  ({ data }) => ({
    id: data.topicId,
    urls: [data.imageS3Url],
  }),
);
const ofAvatar = showing<Projected<'AvatarAdded' | 'AvatarChanged' | 'AvatarRetired' | 'AvatarRestored'>>(
  'AVATAR',
  ({ data }) => ({ id: data.avatarId, urls: [data.imageUrl] }),
);

const pictures: Table<PicturesRow> = {
  name: 'pictures',
  columns: COLUMNS,
  key: ['holder_type', 'holder_id'],
  indexes: ['create index pictures_seen_{suffix} on {table} using gin (seen)'],
  on: {
    QuestionAsked: ofQuestion,
    QuestionEdited: ofQuestion,
    AnswerPosted: ofAnswer,
    AnswerEdited: ofAnswer,
    // As of whoever is erased: what reads as nothing shows nothing, and never did.
    QuestionWordsErased: { keys: ({ data }) => [['QUESTION', data.questionId]], change: () => undefined },
    AnswerWordsErased: { keys: ({ data }) => [['ANSWER', data.answerId]], change: () => undefined },
    StudentRegistered: ofStudent,
    StudentProfileChanged: ofStudent,
    StudentImported: ofStudent,
    // Locations of an erased person's pictures are theirs as well.
    StudentErased: { keys: ({ data }) => [['STUDENT', data.studentId]], change: () => undefined },
    SpaceCreated: ofSpace,
    SpaceChanged: ofSpace,
    TopicCreated: ofTopic,
    TopicChanged: ofTopic,
    TopicNameTaken: ofTopic,
    AvatarAdded: ofAvatar,
    AvatarChanged: ofAvatar,
    AvatarRetired: ofAvatar,
    AvatarRestored: ofAvatar,
  },
};

/** Where uploaded pictures are shown: whether one is still served, and whether it is still needed, is asked here. */
export const picturesProjection = {
  name: 'pictures',
  purpose: 'Where uploaded pictures are shown',
  version: 1,
  tables: [pictures],
} as const satisfies Projection;
