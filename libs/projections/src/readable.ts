/** Who reads: nobody in particular, or a student with the spaces that they moderate. */
export interface Reader {
  readonly viewerId: string | null;
  readonly moderated?: 'all' | readonly string[] | undefined;
}

const EVERY_SPACE = '*';

/** What `readable` takes for the spaces that are moderated. */
export const moderatedOf = ({ moderated = [] }: Reader): readonly string[] =>
  moderated === 'all' ? [EVERY_SPACE] : moderated;

/**
 * The one rule of who may read what stands in a space, for whatever is asked for by another id than the space's: as SQL, of `spaceId`, with the
 * parameters of the viewer (null: nobody in particular) and of `moderatedOf`. Who may not read gets what is not there.
 */
export const readable = (spaceId: string, viewer: string, moderated: string): string => `(
  exists (select from read.spaces readable where readable.space_id = ${spaceId}
    and (readable.has_public_pages or readable.entry = 'OPEN' and ${viewer}::text is not null))
  or exists (select from read.memberships own where own.space_id = ${spaceId} and own.student_id = ${viewer} and own.left_at is null)
  or ${moderated}::text[] && array['${EVERY_SPACE}', ${spaceId}])`;

/** Pictures that are for members alone: a post without any is not asked for its space. */
export const hasPrivatePictures = (images: string, spaceId: string): string =>
  `(${images} <> '{}' and not ${isPublic(spaceId)})`;

/** The same for whoever is not signed in. */
export const isPublic = (spaceId: string): string =>
  `exists (select from read.spaces readable where readable.space_id = ${spaceId} and readable.has_public_pages)`;
