import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { errorField, errorText } from '../../lib/errors';

/**
 * Runs what a form sends and shows beside the field what the api says of it; what is of no field stands above the form.
 * @param fields of the form, by their names on the wire
 */
export async function saving<Values extends FieldValues>(
  send: () => Promise<void>,
  setError: UseFormSetError<Values>,
  fields: readonly Path<Values>[],
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const named = fields.find((field) => field === errorField(error));
    setError(named ?? 'root', { message: errorText(error) }, { shouldFocus: named !== undefined });
  }
}
