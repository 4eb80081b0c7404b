/** The form in which email addresses are compared: lower case, Unicode NFC. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()
