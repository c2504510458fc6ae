/** Asks again for the pictures that did not come: a browser does not do that by itself. */
export function reloadLostPictures(): void {
  for (const picture of document.querySelectorAll('img')) {
    const address = picture.getAttribute('src');
    if (address !== null && picture.complete && picture.naturalWidth === 0)
      picture.setAttribute('src', address);
  }
}
