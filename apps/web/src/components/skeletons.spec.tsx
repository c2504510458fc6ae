import { afterEach, describe, expect, it } from '@jest/globals';
import { signIn, signOut } from '../lib/auth-storage';
import { newAuthUser } from '../testing/fixtures';
import { renderPart } from '../testing/render-part';
import { ShellSkeleton } from './skeletons';

afterEach(() => signOut());

function partsAt(address: string): (string | undefined)[] {
  const { container } = renderPart(<ShellSkeleton />, address);
  // Seen and not heard: LoadingStatus says for all outlines that something loads.
  expect(container.querySelectorAll('.mantine-Skeleton-root').length).toBeGreaterThan(0);
  return [...container.querySelectorAll<HTMLElement>('[data-part]')].map(({ dataset }) => dataset['part']);
}

describe('a page that is loading', () => {
  it.each([
    ['/dashboard', ['sidebar', 'header']],
    ['/moderation', ['sidebar', 'header']],
    ['/space', ['header']],
  ])('has its frame at %s', (address, parts) => {
    signIn('token-of-the-session', newAuthUser(), true);
    expect(partsAt(address)).toEqual(parts);
  });

  it('has no frame for a visitor', () => expect(partsAt('/login')).toEqual([]));
});
