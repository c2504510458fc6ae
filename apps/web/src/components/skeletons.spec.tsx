import { afterEach, describe, expect, it } from '@jest/globals';
import { signIn, signOut } from '../lib/auth-storage';
import { newAuthUser } from '../testing/fixtures';
import { renderPart } from '../testing/render-part';
import { ShellSkeleton } from './skeletons';

afterEach(() => signOut());

function partsAt(address: string): (string | undefined)[] {
  const { container } = renderPart(<ShellSkeleton />, address);
  // Hidden from screen readers: LoadingStatus announces loading for all skeletons.
  expect(container.querySelectorAll('.mantine-Skeleton-root').length).toBeGreaterThan(0);
  return [...container.querySelectorAll<HTMLElement>('[data-part]')].map(({ dataset }) => dataset['part']);
}

describe('a loading page', () => {
  it.each([
    ['/dashboard', ['sidebar', 'header']],
    ['/moderation', ['sidebar', 'header']],
    ['/space', ['header']],
    ['/moderation/entry/code/some-space/some-code', []],
  ])('has its layout at %s', (address, parts) => {
    signIn('token-of-the-session', newAuthUser(), true);
    expect(partsAt(address)).toEqual(parts);
  });

  it('has no layout for visitors', () => expect(partsAt('/login')).toEqual([]));
});
