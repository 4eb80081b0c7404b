/** The sender of what the product itself writes, in place of the ID of a user. */
export const SYSTEM_SENDER = 'system'
