/** One line that names the setting and its rule; a process that meets it says so and does not start. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
