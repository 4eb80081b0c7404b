/** Classifies what a permanent refusal means for an address (RFC 3463, RFC 5321). Pure. */

/**
 * `address`: it doesn't exist. `unclear`: perhaps, which repetition confirms. `message`: the address may exist, but
 * the message is refused: content, size, policy, a full mailbox, the sender or its server.
 */
export type BounceMeaning = 'address' | 'unclear' | 'message'

const REPLY = /^(5\d\d)[ -]?\s*(?:#?(5\.\d{1,3}\.\d{1,3})\b)?/
/** Concern the address of the sender. */
const SENDER_STATUS: readonly string[] = ['5.1.7', '5.1.8']
/** Say nothing. Servers send 5.5.0 for unknown mailboxes, too. */
const UNDEFINED_STATUS: readonly string[] = ['5.0.0', '5.5.0', '5.2.0']
/** Refusals of a mailbox without an enhanced code. */
const MAILBOX_REPLIES: readonly string[] = ['521', '550', '551', '553', '556']

/** @param reply of an SMTP server, such as `550 5.1.1 no such user`, or an enhanced code alone. */
export function bounceMeaning(reply: string): BounceMeaning {
  const [, code = '', enhanced] = REPLY.exec(reply) ?? []
  const status = enhanced ?? /^5\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0]
  if (status === undefined || UNDEFINED_STATUS.includes(status))
    return MAILBOX_REPLIES.includes(code) ? 'unclear' : 'message'
  if (SENDER_STATUS.includes(status)) return 'message'
  return status.startsWith('5.1.') || status === '5.2.1' ? 'address' : 'message'
}
