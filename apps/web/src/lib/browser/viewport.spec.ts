import { afterEach, describe, expect, it } from '@jest/globals';
import { followKeyboard } from './viewport';

class FakeView extends EventTarget {
  scale = 1;
  offsetTop = 0;
  height = window.innerHeight;
  show(height: number, offsetTop = 0, scale = 1): void {
    Object.assign(this, { height, offsetTop, scale });
    this.dispatchEvent(new Event('resize'));
  }
}

const covered = () => document.documentElement.style.getPropertyValue('--nimo-keyboard');
const before = Object.getOwnPropertyDescriptor(window, 'visualViewport');

function withView(): FakeView {
  const view = new FakeView();
  Object.defineProperty(window, 'visualViewport', { configurable: true, value: view });
  return view;
}

afterEach(() => {
  if (before) Object.defineProperty(window, 'visualViewport', before);
  else Reflect.deleteProperty(window, 'visualViewport');
});

describe('an on-screen keyboard', () => {
  it('is followed while it opens, scrolls and closes', () => {
    const view = withView();
    const stop = followKeyboard();
    expect(covered()).toBe('0px');
    view.show(window.innerHeight - 300);
    expect(covered()).toBe('300px');
    view.show(window.innerHeight - 300, 120);
    expect(covered()).toBe('180px');
    expect(document.documentElement.style.getPropertyValue('--nimo-view-top')).toBe('120px');
    view.show(window.innerHeight);
    expect(covered()).toBe('0px');
    stop();
    expect(covered()).toBe('');
    view.show(window.innerHeight - 300);
    expect(covered()).toBe('');
  });

  it('is not confused with pinch zoom', () => {
    const view = withView();
    const stop = followKeyboard();
    view.show(window.innerHeight / 2, 0, 2);
    expect(covered()).toBe('0px');
    stop();
  });
});
