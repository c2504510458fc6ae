/** Letters, digits and underscore; the digits alone would be taken for a phone number at the login. */
export function isValidUserName(userName: string): boolean {
  return /^\w+$/.test(userName) && !/^\d+$/.test(userName);
}
