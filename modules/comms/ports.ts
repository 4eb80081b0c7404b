import type { MailTransport } from './transports/transport.ts'

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

declare module '../../kernel/contract.ts' {
  interface Ports {
    mailer: Mailer
    mailTransport: MailTransport
  }
  interface Jobs {
    'comms.deliver': { messageId: string; tenantId: string }
  }
}
