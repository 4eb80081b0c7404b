/** Ports and jobs of comms. Types only. */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * A link that is signed when the email is rendered, so that no event, row or dump contains its token:
 * `{publicUrl}{path}?token={id}.{version}.{HMAC(purpose, id, version)}`.
 */
export interface MailLink {
  readonly $link: {
    /** Starts with `/`. */
    readonly path: string
    readonly purpose: string
    readonly id: string
    /** Increasing it invalidates earlier links. */
    readonly version: number
  }
}

/** Six digits to type, created when the email is rendered: `secrets.code(purpose, id)`. */
export interface MailCode {
  readonly $code: { readonly purpose: string; readonly id: string }
}

export type MailCategory = 'transactional' | 'marketing'

export interface Mail {
  /** Key of the template, for example `identity.welcome`. */
  readonly template: string
  /** One address without a display name. */
  readonly to: string
  readonly tenantId: string
  /** Template data. Use a MailLink or a MailCode instead of a secret. */
  readonly data: Readonly<Record<string, unknown>>
  /** Defaults to the product's default locale. */
  readonly locale?: string
  /** Id of the event that causes the email. At most one email is sent per (key, template, recipient). */
  readonly key?: string
  /** Defaults to the template's category. */
  readonly category?: MailCategory
}

export interface Mailer {
  /**
   * Queues an email in the surrounding unit of work, or in its own; a worker sends it. Throws `unknown_template`,
   * `template_failed` and `invalid_address`.
   */
  send(mail: Mail): Promise<{ readonly messageId: string; readonly status: 'queued' | 'suppressed' }>
}

/** An event of an email provider about a message that was sent. */
export interface DeliveryEvent {
  /** Unique at the provider: an event that arrives twice is processed once. At most 200 characters. */
  readonly id: string
  /** `msg_…`; undefined for messages of other systems. */
  readonly messageId: string | undefined
  readonly type: 'delivered' | 'bounced' | 'complained' | 'unsubscribed'
  /** Whether a bounce is permanent for this address. */
  readonly hard: boolean
  readonly at: Date
  /** The reply of the recipient's server. */
  readonly detail: string | undefined
}
export interface WebhookRequest {
  readonly headers: IncomingHttpHeaders
  /** The unparsed body, which the signature covers. */
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}
/** An email provider that reports delivery events to `POST /v1/communications/intake/{name}`. */
export interface MailProvider {
  /** `[a-z][a-z0-9_-]*`. */
  readonly name: string
  /** Headers of each message that let the provider's events identify it. Names in lowercase. */
  headers(mail: { readonly messageId: string }): Readonly<Record<string, string>>
  /** Throws `bad_signature` and `malformed`. */
  read(request: WebhookRequest): readonly DeliveryEvent[]
}

declare module '@larder-dev/larder/kernel' {
  interface Settings {
    /** The SMTP server, where the recipe names none. */
    readonly smtpUrl: string | undefined
  }
  interface Ports {
    mailer: Mailer
    /** An additional provider from another module. */
    mailProvider: MailProvider
  }
  interface Jobs {
    'comms.deliver': { messageId: string; tenantId: string }
    /** Processes new delivery events. */
    'comms.process_provider_events': Record<string, never>
    /** Retries delivery events whose processing failed. */
    'comms.retry_provider_events': Record<string, never>
    'comms.sweep': Record<string, never>
  }
}
