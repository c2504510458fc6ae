/** As the api takes it; whether somebody reads it is told by the mail that comes or does not. */
export function isEmailShaped(email: string): boolean {
  return /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/.test(email);
}
