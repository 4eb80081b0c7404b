/** The form in which addresses are compared: without case, composed (Unicode NFC). */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()
