/** The interface of mail transports. */
import type { NamedAddress } from '../../domain/address.ts'
import type { BounceMeaning } from '../../domain/bounce.ts'

export interface OutgoingMail {
  readonly messageId: string
  readonly tenantId: string
  readonly from: NamedAddress
  /** One address without a display name. */
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Further headers, with names in lowercase. */
  readonly headers: Readonly<Record<string, string>>
}
export interface MailTransport {
  readonly name: 'mailbox' | 'smtp'
  /** Returns the server's reply. Throws a BounceError for a permanent failure, and other errors for temporary ones. */
  send(mail: OutgoingMail): Promise<string>
  close(): Promise<void>
}

/** What comms' own jobs and pages get in addition to ports. */
export interface TransportDeps {
  readonly mailTransport: MailTransport
}

/** The server rejects this message to this recipient permanently. */
export class BounceError extends Error {
  readonly meaning: BounceMeaning

  constructor(answer: string, meaning: BounceMeaning, cause: unknown) {
    super(answer, { cause })
    this.meaning = meaning
    this.name = 'Bounce'
  }
}
