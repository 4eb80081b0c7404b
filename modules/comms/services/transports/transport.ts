/** What carries mail out of the house. */
export interface Address {
  readonly name: string
  readonly address: string
}
export interface OutgoingMail {
  readonly messageId: string
  readonly tenantId: string
  readonly from: Address
  /** One bare address. */
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Names in lower case, without the ones above. */
  readonly headers: Readonly<Record<string, string>>
}
export interface MailTransport {
  readonly name: 'mailbox' | 'smtp'
  /** Returns what the other side answered. Throws a Bounce if it refuses this recipient for good; else try again. */
  send(mail: OutgoingMail): Promise<string>
  close(): Promise<void>
}

/** The other side will never take this mail for this recipient. */
export class Bounce extends Error {
  constructor(answer: string, cause: unknown) {
    super(answer, { cause })
    this.name = 'Bounce'
  }
}
