import { MantineProvider } from '@mantine/core';
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import '../../testing/render-app';
import { ImageGallery } from './image-gallery';

const images = (count: number) => Array.from({ length: count }, (_, index) => `/media/${index}.webp`);
const show = (count: number, shown: number) =>
  render(<ImageGallery imageUrls={images(count)} shown={shown} />, { wrapper: MantineProvider });

describe('the gallery', () => {
  it.each([
    [1, 4, 1, undefined],
    [4, 4, 4, undefined],
    [5, 4, 4, '+1'],
    [10, 4, 4, '+6'],
    [3, 3, 3, undefined],
    [10, 3, 3, '+7'],
  ])('of %i images limited to %i shows %i and %s', (count, room, shown, more) => {
    show(count, room);
    expect(screen.getAllByRole('button')).toHaveLength(shown);
    expect(screen.queryByText(/^\+\d/)?.textContent).toBe(more);
  });

  it('renders nothing without images', () => {
    show(0, 4);
    expect(screen.queryByRole('list')).not.toBeInTheDocument();
  });

  it('loads thumbnails', () => {
    const { container } = show(1, 4);
    expect(container.querySelector('img')).toHaveAttribute('src', '/media/thumb/0.webp');
  });
});
