/** Every deliberate delay of the product, in milliseconds. Content never waits: it shows as soon as it has loaded. */
export const timings = {
  /** Between a successful login and the spaces page, so that the success is visible. */
  loginRedirect: 500,
  /** Duration of a success message. */
  successMessage: 3000,
  /** Duration of an error message; longer, because it has to be understood. */
  errorMessage: 6000,
  /** How long an announcement stays readable for screen readers. */
  announcement: 60_000,
  /** How long an action can be undone. */
  undo: 10_000,
  /** How long a copy button confirms. */
  copied: 2000,
  /** Between the last digit of a code and automatic verification, so that the digit is visible. */
  otpVerify: 800,
  /** Between closing the image gallery and removing it. */
  galleryClose: 400,
  /** Debounce of the question preview. */
  previewDebounce: 1000,
  /** Debounce of suggestions. */
  suggestionDebounce: 200,
  /** Polling interval of the Nimo Sense gauge. */
  gaugeRefresh: 2000,
  /** Polling intervals of all projections and of one. */
  projectionsRefresh: 2000,
  projectionRefresh: 1000,
  /** Polling interval of a class code shown to a class. */
  classCodeRefresh: 3000,
  /** Polling interval of a personal data export. */
  ownExportRefresh: 1000,
  /** Polling interval of the log proof. */
  logAlarmRefresh: 60_000,
  /** Debounce of similar questions. */
  similarDebounce: 500,
  /** How long a two-key shortcut waits for its second key. */
  shortcutSequence: 1500,
  /** How long something loads before screen readers are notified. */
  loadingAnnouncement: 1000,
  /** Duration of every transition. */
  transition: 180,
} as const;
