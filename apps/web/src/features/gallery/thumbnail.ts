const ownImage = /^\/media\/(?!thumb\/)([^/]+)$/;

/** The small version of an image of ours; any other address as it is. */
export function thumbnailOf(url: string): string {
  return url.replace(ownImage, '/media/thumb/$1');
}
