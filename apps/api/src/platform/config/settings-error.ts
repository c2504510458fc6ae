/** A configuration error with a one-line message. The process prints it and exits. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
