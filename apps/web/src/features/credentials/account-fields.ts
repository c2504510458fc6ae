/** Whether the API accepts the address. Only a confirmation email shows whether it works. */
export function isEmailShaped(email: string): boolean {
  return /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/.test(email);
}

/** Letters, digits and underscores, but not digits only: a login takes these for a phone number. */
export function isValidUserName(userName: string): boolean {
  return /^\w+$/.test(userName) && !/^\d+$/.test(userName);
}
