/** As the api takes it; whether somebody reads it is told by the mail that comes or does not. */
export function isEmailShaped(email: string): boolean {
  return /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/.test(email);
}

/** Letters, digits and underscore; the digits alone would be taken for a phone number at the login. */
export function isValidUserName(userName: string): boolean {
  return /^\w+$/.test(userName) && !/^\d+$/.test(userName);
}
