import { expect } from '@jest/globals';
import { waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Opens the list of a field and selects the option with that name. */
export async function choose(user: UserEvent, field: HTMLElement, option: string) {
  await user.click(field);
  await waitFor(() => expect(field).toHaveAttribute('aria-controls'));
  const options = document.getElementById(field.getAttribute('aria-controls') ?? '');
  if (!options) throw new Error('The field has no list');
  await user.click(await within(options).findByRole('option', { name: option, hidden: true }));
}
