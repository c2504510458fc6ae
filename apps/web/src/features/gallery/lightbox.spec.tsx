import { MantineProvider } from '@mantine/core';
import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../testing/render-app';
import { Lightbox } from './lightbox';

const imageUrls = ['/media/a.webp', '/media/b.webp', '/media/c.webp'];

function open(initialIndex = 0) {
  const onClosed = jest.fn();
  render(<Lightbox imageUrls={imageUrls} initialIndex={initialIndex} onClosed={onClosed} />, {
    wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider>,
  });
  const image = () => screen.getByRole('img');
  return { onClosed, image, user: userEvent.setup() };
}

const pass = (ms: number): void => {
  act(() => {
    jest.advanceTimersByTime(ms);
  });
};

const at = (x: number, y: number, zoom = 1, rotation = 0) => ({
  transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${rotation}deg)`,
});

describe('the lightbox', () => {
  it.each([
    ['{ArrowLeft}', 20, 0],
    ['{ArrowRight}', -20, 0],
    ['{ArrowUp}', 0, 20],
    ['{ArrowDown}', 0, -20],
  ])('pans by 20 pixels for %s and keeps its image', async (key, x, y) => {
    const { image, user } = open();
    await user.keyboard(key);
    expect(image()).toHaveStyle(at(x, y));
    expect(screen.getByRole('dialog', { name: 'Image 1 of 3' })).toBeVisible();
  });

  it('pans by dragging', () => {
    const { image } = open();
    Element.prototype.setPointerCapture = () => undefined;
    // Only the coordinates and the button are read.
    const pointer = (type: string, clientX: number, clientY: number) =>
      fireEvent(image(), new MouseEvent(type, { bubbles: true, button: 0, clientX, clientY }));
    pointer('pointerdown', 100, 100);
    pointer('pointermove', 130, 90);
    pointer('pointermove', 135, 80);
    pointer('pointerup', 135, 80);
    pointer('pointermove', 500, 500);
    expect(image()).toHaveStyle(at(35, -20));
  });

  it('zooms to 4× on double click', async () => {
    const { image, user } = open();
    await user.dblClick(image());
    expect(image()).toHaveStyle(at(0, 0, 4));
  });

  it.each([
    [1000, 12_000, true],
    [1080, 2340, false],
    [12_000, 1000, false],
  ])('scrolls an image of %i×%i pixels at a readable width: %s', (naturalWidth, naturalHeight, scrolls) => {
    const { image } = open();
    Object.defineProperties(image(), {
      naturalWidth: { value: naturalWidth },
      naturalHeight: { value: naturalHeight },
    });
    fireEvent.load(image());
    const scroller = screen.queryByRole('group', { name: 'Image 1 of 3' });
    expect(scroller !== null).toBe(scrolls);
    if (scroller) expect(scroller).toContainElement(image());
  });

  it('fits a tall image on the screen while it is rotated', async () => {
    const { image, user } = open();
    Object.defineProperties(image(), { naturalWidth: { value: 1000 }, naturalHeight: { value: 12_000 } });
    fireEvent.load(image());
    const scrolls = () => screen.queryByRole('group', { name: 'Image 1 of 3' }) !== null;
    const seen = [scrolls()];
    for (let turns = 1; turns <= 4; turns += 1) {
      await user.click(screen.getByRole('button', { name: 'Rotate' }));
      seen.push(scrolls());
    }
    expect(seen).toEqual([true, false, false, false, true]);
  });

  it('zooms by 0.3 and rotates by 90 degrees with its buttons, and Reset undoes both', async () => {
    const { image, user } = open();
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    await user.click(screen.getByRole('button', { name: 'Rotate' }));
    expect(image()).toHaveStyle(at(0, 0, 1.3, 90));
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(image()).toHaveStyle(at(0, 0));
    await user.click(screen.getByRole('button', { name: 'Zoom out' }));
    expect(image()).toHaveStyle(at(0, 0, 0.7));
  });

  it('wraps around in both directions, and resets each image', async () => {
    const { image, user } = open(2);
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    await user.click(screen.getByRole('button', { name: 'Next image' }));
    expect(screen.getByRole('dialog', { name: 'Image 1 of 3' })).toBeVisible();
    expect(image()).toHaveStyle(at(0, 0));
    await user.click(screen.getByRole('button', { name: 'Previous image' }));
    expect(screen.getByRole('dialog', { name: 'Image 3 of 3' })).toBeVisible();
  });

  it('names every control and traps the focus', async () => {
    const { user } = open();
    const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
    expect(names).toEqual([
      'Zoom in',
      'Zoom out',
      'Rotate',
      'Reset',
      'Close',
      'Previous image',
      'Next image',
    ]);
    expect(screen.getByRole('toolbar', { name: 'Image controls' })).toBeVisible();
    for (let step = 0; step < 20; step += 1) {
      await user.tab();
      expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
    }
  });

  it('resets on the first Escape and closes 400 ms after the second', async () => {
    const { onClosed, image, user } = open();
    await user.keyboard('{ArrowLeft}{Escape}');
    expect(image()).toHaveStyle(at(0, 0));
    expect(onClosed).not.toHaveBeenCalled();
    jest.useFakeTimers();
    try {
      fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
      pass(399);
      expect(onClosed).not.toHaveBeenCalled();
      pass(1);
      expect(onClosed).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });
});
