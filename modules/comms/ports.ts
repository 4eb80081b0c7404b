import type { IncomingHttpHeaders } from 'node:http'
import type { MailTransport } from './services/transports/transport.ts'

/**
 * A link that is signed when the mail is made, so that neither events nor rows nor dumps hold it:
 * `{publicUrl}{path}?token={id}.{version}.{HMAC(purpose, id, version)}`.
 */
export interface MailLink {
  readonly $link: {
    /** Begins with `/`. */
    readonly path: string
    readonly purpose: string
    readonly id: string
    /** What makes older links void when it goes up. */
    readonly version: number
  }
}

export type MailCategory = 'transactional' | 'marketing'

export interface Mail {
  /** Key of the template, e.g. `identity.welcome`. */
  readonly template: string
  /** One bare address. */
  readonly to: string
  readonly tenantId: string
  /** What the template is filled from: no secret, but a MailLink where one is to stand. */
  readonly data: Readonly<Record<string, unknown>>
  /** The product's default one if left out. */
  readonly locale?: string
  /** Id of the event that this mail is about: one mail per (key, template, recipient), however often it is sent. */
  readonly key?: string
  /** What the template says if left out. */
  readonly category?: MailCategory
}

export interface Mailer {
  /**
   * Writes the mail into the unit that surrounds the call, or into one of its own; the worker sends it.
   * Throws problems `unknown_template`, `template_failed` and `invalid_address`.
   */
  send(mail: Mail): Promise<{ readonly messageId: string; readonly status: 'queued' | 'suppressed' }>
}

/** What became of one mail after it left, as a provider of mail tells it. */
export interface MailNews {
  /** Unique at the provider: what comes twice counts once. At most 200 characters. */
  readonly id: string
  /** `msg_…`, if it is a mail of ours. */
  readonly messageId: string | undefined
  readonly type: 'delivered' | 'bounced' | 'complained' | 'unsubscribed'
  /** Of a bounce: no mail will ever reach this address. */
  readonly hard: boolean
  readonly at: Date
  /** What the other side said. */
  readonly detail: string | undefined
}
export interface IntakeRequest {
  readonly headers: IncomingHttpHeaders
  /** The bytes that came: what is signed. */
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}
/** A provider of mail that tells what became of it, at `POST /v1/communications/intake/{name}`. */
export interface MailProvider {
  /** `[a-z][a-z0-9_-]*`. */
  readonly name: string
  /** What a mail carries so that the provider's news name it. Names in lower case. */
  headers(mail: { readonly messageId: string }): Readonly<Record<string, string>>
  /** Throws problem `bad_signature` on what the provider did not sign, and `malformed` on what is not its format. */
  read(request: IntakeRequest): readonly MailNews[]
}

declare module 'larder/kernel' {
  interface Ports {
    mailer: Mailer
    mailTransport: MailTransport
    /** A provider beside those that the module brings. */
    mailProvider: MailProvider
  }
  interface Jobs {
    'comms.deliver': { messageId: string; tenantId: string }
    'comms.intake': Record<string, never>
    'comms.sweep': Record<string, never>
  }
}
