/** Quoted from the specification letter for letter, spelling mistakes included. */
export const REPORT_REASONS = [
  'Its spam',
  'Nudity or sexual activity',
  'Hate picture or symbols',
  "I just don't like it",
  'Bullying or harassment',
  'Fasle information',
  'Violence or dangerous',
  'Scam or fraud',
  'Something else',
] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

export const isReportReason = (text: string): text is ReportReason =>
  (REPORT_REASONS as readonly string[]).includes(text);
