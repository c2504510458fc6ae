import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { Providers } from '../app/providers';
import './render-app';

/** Renders a component with the app's providers. */
export function renderPart(part: ReactNode, address = '/') {
  const around = (inside: ReactNode) => (
    <Providers env="test">
      <MemoryRouter initialEntries={[address]} useTransitions={false}>
        {inside}
      </MemoryRouter>
    </Providers>
  );
  const view = render(around(part));
  return { ...view, show: (next: ReactNode) => view.rerender(around(next)) };
}
