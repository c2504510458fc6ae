import { waitFor, within } from '@testing-library/react';

/** The field of that name, once its full editor has taken the place of the plain one. */
export const findEditor = (name: string, place: HTMLElement = document.body): Promise<HTMLElement> =>
  waitFor(() => {
    const fields = within(place).getAllByRole('textbox', { name });
    const editor = fields.find((field) => field.matches('[contenteditable="true"]'));
    if (!editor) throw new Error(`The editor "${name}" is not there yet`);
    return editor;
  });
