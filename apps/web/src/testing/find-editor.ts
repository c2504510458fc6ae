import { waitFor, within } from '@testing-library/react';

/** Waits until the full editor has replaced the plain field of that name. */
export const findEditor = (name: string, place: HTMLElement = document.body): Promise<HTMLElement> =>
  waitFor(() => {
    const fields = within(place).getAllByRole('textbox', { name });
    const editor = fields.find((field) => field.matches('[contenteditable="true"]'));
    if (!editor) throw new Error(`The editor "${name}" has not loaded yet`);
    return editor;
  });
