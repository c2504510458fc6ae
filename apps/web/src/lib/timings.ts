/** Every deliberate delay of the product, in milliseconds. Waits that only make a person wait are not here: content shows as soon as it is there. */
export const timings = {
  /** Between a successful login and the spaces page, so that the success can be seen. */
  loginRedirect: 500,
  /** How long a success message stays. */
  successMessage: 3000,
  /** How long an error message stays; longer, because it has to be understood. */
  errorMessage: 6000,
  /** How long an announcement can be read back by who listens to the screen. */
  announcement: 60_000,
  /** How long something that was done can be taken back. */
  undo: 10_000,
  /** How long a copy button says that it copied. */
  copied: 2000,
  /** Between the last digit of a code and its being verified by itself, so that it can be seen. */
  otpVerify: 800,
  /** Between closing the image gallery and removing it. */
  galleryClose: 400,
  /** Typing pause before the preview of a question's body is drawn again. */
  previewDebounce: 1000,
  /** Typing pause before suggestions are asked for. */
  suggestionDebounce: 200,
  /** Between two looks of the gauge of Nimo Sense. */
  gaugeRefresh: 2000,
  /** Between two looks at all projections, and at one. */
  projectionsRefresh: 2000,
  projectionRefresh: 1000,
  /** Between two looks how far the copy of one's own data is. */
  ownExportRefresh: 1000,
  /** Between two looks whether the log fits its proof. */
  logAlarmRefresh: 60_000,
  /** Typing pause before questions like the title are looked for. */
  similarDebounce: 500,
  /** How long the first key of a shortcut of two waits for the second. */
  shortcutSequence: 1500,
  /** How long something loads before who does not see it is told so. */
  loadingSaid: 1000,
  /** Length of every transition. */
  transition: 180,
} as const;
