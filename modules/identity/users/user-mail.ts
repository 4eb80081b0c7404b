/** Emails about accounts and workspaces, in the language of the person. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { Users } from './users.ts'

export interface Recipient {
  readonly email: string
  readonly name: string | null
  readonly locale: string | null
}
export interface UserMessage {
  readonly template: string
  readonly tenantId: string
  /** See `Mail.key`. */
  readonly key: string
  /** Without `name`, which is that of the person, or their address. */
  readonly data: Readonly<Record<string, unknown>>
}
/** Without a module that sends mail, nothing is sent. */
export interface UserMail {
  send(recipient: Recipient, message: UserMessage): Promise<void>
  /** Sends nothing to a person who has deleted their account. */
  sendTo(userId: string, message: UserMessage): Promise<void>
}

export function createUserMail({ mailer, users }: Deps<never, 'mailer'> & { readonly users: Users }): UserMail {
  const send: UserMail['send'] = async ({ email, name, locale }, { data, ...message }) => {
    await mailer?.send({
      ...message,
      to: email,
      data: { name: name ?? email, ...data },
      ...(locale !== null && { locale }),
    })
  }
  return {
    send,
    async sendTo(userId, message) {
      for (const user of await users.find([userId])) await send(user, message)
    },
  }
}
