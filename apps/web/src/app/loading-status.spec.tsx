import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { Suspense, useEffect } from 'react';
import { LoadingStatus } from './data-layer';
import { Placeholder, ScreenSkeleton, SkeletonRows } from '../components/skeletons';
import '../i18n/i18n';
import { lazyPart, preloadParts } from '../lib/browser/loading';
import { Providers } from './providers';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

function Page({ children }: { children: React.ReactNode }) {
  return (
    <Providers env="test">
      <LoadingStatus />
      {children}
    </Providers>
  );
}

function openWith(content: React.ReactNode) {
  const view = render(<Page>{content}</Page>);
  const place = view.container.querySelector('[aria-live="polite"]');
  const heard: string[] = [];
  const note = () => {
    const text = place?.textContent ?? 'nowhere';
    if (text !== '' && text !== heard.at(-1)) heard.push(text);
  };
  return {
    heard,
    note,
    show: (next: React.ReactNode) => view.rerender(<Page>{next}</Page>),
  };
}

describe('the loading status', () => {
  it('is announced once, politely, after a second, even if outlines replace each other', async () => {
    const { heard, note, show } = openWith(<ScreenSkeleton />);
    await pass(900);
    note();
    expect(heard).toEqual([]);
    await pass(200);
    note();
    expect(heard).toEqual(['Loading…']);
    show(
      <>
        <SkeletonRows count={3} />
        <Placeholder>Somebody</Placeholder>
      </>,
    );
    for (let step = 0; step < 5; step += 1) {
      await pass(500);
      note();
    }
    expect(heard).toEqual(['Loading…']);
  });

  it('is not announced for loads under a second, nor at the end of an endless list', async () => {
    const { heard, note, show } = openWith(<SkeletonRows count={3} />);
    await pass(500);
    show(<SkeletonRows count={1} isMore />);
    await pass(5000);
    note();
    expect(heard).toEqual([]);
  });

  it('ends once the content has loaded', async () => {
    const { show } = openWith(<SkeletonRows count={3} />);
    await pass(1100);
    show('Here');
    await pass(1100);
    expect(document.querySelector('[aria-live="polite"]')).toBeEmptyDOMElement();
  });

  it('loads visible content before preloads', async () => {
    const load = jest.fn(() => Promise.resolve());
    function Ahead() {
      useEffect(() => preloadParts([load]), []);
      return null;
    }
    const page = (content: React.ReactNode) => (
      <>
        {content}
        <Ahead />
      </>
    );
    const { show } = openWith(page(<SkeletonRows count={1} />));
    await pass(10_000);
    expect(load).not.toHaveBeenCalled();
    show(page(<span>Here it is.</span>));
    await pass(5_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is skipped for preloaded screens', async () => {
    const Part = lazyPart(() => Promise.resolve({ default: () => <span>Here it is.</span> }));
    await Part.preload();
    const { container } = render(
      <Suspense fallback="Not yet">
        <Part />
      </Suspense>,
    );
    expect(container).toHaveTextContent('Here it is.');
  });
});
