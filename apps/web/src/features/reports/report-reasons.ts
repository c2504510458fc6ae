/** The nine reasons by their key in the catalogue. What is sent is the api's own wording, whatever the language of the screen. */
export const reportReasons = {
  spam: 'Its spam',
  nudity: 'Nudity or sexual activity',
  hate: 'Hate picture or symbols',
  dislike: "I just don't like it",
  bullying: 'Bullying or harassment',
  falseInformation: 'Fasle information',
  violence: 'Violence or dangerous',
  scam: 'Scam or fraud',
  other: 'Something else',
} as const;

export type ReportReason = keyof typeof reportReasons;

export const reportReasonKeys = Object.keys(reportReasons) as ReportReason[];
