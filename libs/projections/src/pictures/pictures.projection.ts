import {
  type Columns,
  type Handler,
  typedColumn,
  type Projected,
  type ProjectedEvent,
  type Projection,
  type RowOf,
  type Table,
} from '../projection.js';

export type PictureHolder = 'QUESTION' | 'ANSWER' | 'STUDENT' | 'SPACE' | 'TOPIC' | 'AVATAR';

const COLUMNS = {
  holder_type: typedColumn<PictureHolder>('text'),
  holder_id: { type: 'text' },
  shown: { type: 'text[]' },
  seen: { type: 'text[]' },
} as const satisfies Columns;

/** Uploaded pictures a holder shows (`shown`) and ever showed (`seen`). Distinguishes removed pictures from new uploads. */
export type PicturesRow = RowOf<typeof COLUMNS>;

/** Excludes built-in and external pictures. */
const isUpload = (url: string | null): url is string => url?.startsWith('/media/') ?? false;

interface HolderPictures {
  readonly id: string;
  /** URLs; null in the events of an erased person. */
  readonly urls: readonly (string | null)[];
}

/** Each event contains all pictures the holder shows. */
const recordPictures = <E extends ProjectedEvent>(
  type: PictureHolder,
  picturesIn: (event: E) => HolderPictures,
): Handler<PicturesRow, E> => ({
  keys: (event) => [[type, picturesIn(event).id]],
  fold(row, event) {
    const { id, urls } = picturesIn(event);
    const shown = urls.filter(isUpload);
    const seen = [...new Set([...(row?.seen ?? []), ...shown])];
    if (seen.length === 0) return undefined;
    return { holder_type: type, holder_id: id, shown, seen };
  },
});

const ofQuestion = recordPictures<Projected<'QuestionAsked' | 'QuestionEdited'>>('QUESTION', ({ data }) => ({
  id: data.questionId,
  urls: data.imageUrls,
}));
const ofAnswer = recordPictures<Projected<'AnswerPosted' | 'AnswerEdited'>>('ANSWER', ({ data }) => ({
  id: data.answerId,
  urls: data.imageUrls,
}));
const ofStudent = recordPictures<
  Projected<'StudentRegistered' | 'StudentProfileChanged' | 'StudentImported'>
>('STUDENT', ({ data }) => ({ id: data.studentId, urls: [data.realProfilePicUrl] }));
const ofSpace = recordPictures<Projected<'SpaceCreated' | 'SpaceChanged'>>('SPACE', ({ data }) => ({
  id: data.spaceId,
  urls: [data.bannerImageUrl],
}));
const ofTopic = recordPictures<Projected<'TopicCreated' | 'TopicChanged' | 'TopicNameTaken'>>(
  'TOPIC',
  ({ data }) => ({
    id: data.topicId,
    urls: [data.imageS3Url],
  }),
);
const ofAvatar = recordPictures<
  Projected<'AvatarAdded' | 'AvatarChanged' | 'AvatarRetired' | 'AvatarRestored'>
>('AVATAR', ({ data }) => ({ id: data.avatarId, urls: [data.imageUrl] }));

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
    // Same result as a rebuild, in which erased events contain no pictures.
    QuestionWordsErased: { keys: ({ data }) => [['QUESTION', data.questionId]], change: () => undefined },
    AnswerWordsErased: { keys: ({ data }) => [['ANSWER', data.answerId]], change: () => undefined },
    StudentRegistered: ofStudent,
    StudentProfileChanged: ofStudent,
    StudentImported: ofStudent,
    // Picture URLs are personal data.
    StudentErased: { keys: ({ data }) => [['STUDENT', data.studentId]], change: () => undefined },
    SpaceCreated: ofSpace,
    SpaceChanged: ofSpace,
    SpaceRemoved: { keys: ({ data }) => [['SPACE', data.spaceId]], change: () => undefined },
    TopicCreated: ofTopic,
    TopicChanged: ofTopic,
    TopicNameTaken: ofTopic,
    AvatarAdded: ofAvatar,
    AvatarChanged: ofAvatar,
    AvatarRetired: ofAvatar,
    AvatarRestored: ofAvatar,
  },
};

/** Where uploaded pictures are shown. Determines whether they are served and kept. */
export const picturesProjection = {
  name: 'pictures',
  purpose: 'Where uploaded images are shown',
  version: 2,
  tables: [pictures],
} as const satisfies Projection;
