/**
 * Six-digit codes and links that sign in, in one mail. A request has an ID that only the client that made it knows, and
 * its code works with this ID only: other people's guesses can't use up its attempts.
 */
import { type Deps, MINUTE, newId } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { MAX_CODE_ATTEMPTS } from '../../domain/lifetimes.ts'
import { type MailToken, readLinkToken } from '../../domain/links.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { accountTable } from '../../users/records/account.ts'
import type { Recipient } from '../../users/user-mail.ts'
import type { Registration } from '../registration.ts'
import { emailCodeTable, type StoredEmailCode } from './records.ts'

export const CODE_PURPOSE = 'sign_in_code'
const LINK_VERSION = 1

export interface CodeRequest {
  readonly email: string
  /** Path on this site. */
  readonly next: string
  /** Language of the mail and of a new account. */
  readonly locale?: string | undefined
}
export interface CodeMail extends Recipient {
  readonly link: MailToken
  readonly minutes: number
}
/** An address whose owner has just proved it. */
export interface ProvedAddress {
  readonly email: string
  readonly locale: string | null
  readonly next: string
}
export interface EmailCodes {
  /** Takes the same time whether or not the account exists: a worker looks it up. Returns the ID of the request. */
  request(request: CodeRequest): Promise<string>
  /** Creates the code of a request once. Null if the address may not sign in, so that it gets no mail. Repeatable. */
  prepare(request: CodeRequest & { readonly requestId: string }): Promise<CodeMail | null>
  /** Each code works once. Null for a wrong, used or expired one; after five tries also for the right one. */
  useCode(requestId: string, code: string): Promise<ProvedAddress | null>
  /** Each link works once, like its code. */
  useLink(token: string): Promise<ProvedAddress | null>
  /** What the link is for, without using it. */
  preview(token: string): Promise<ProvedAddress | null>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'jobs' | 'secrets'> & {
  readonly registration: Registration
  readonly settings: IdentitySettings
}

export function createEmailCodes({ systemDatabase, clock, jobs, secrets, registration, settings }: Needs): EmailCodes {
  const codes = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  /** The request with its code and link used up. */
  async function use(id: string): Promise<ProvedAddress | null> {
    const [used] = await emailCodeTable.query(
      codes(),
      `update identity_email_codes set used_at = $2 where id = $1 and used_at is null and expires_at > $2
       returning ${emailCodeTable.columns()}`,
      [id, timeAt(clock)],
    )
    return used ? toAddress(used) : null
  }

  function idOf(token: string): string | undefined {
    const link = readLinkToken(secrets, 'sign_in', token)
    return link?.version === LINK_VERSION ? link.id : undefined
  }

  return {
    async request({ email, next, locale }) {
      const requestId = newId('scr', clock.now())
      await jobs.enqueue('identity.email_code', { email, requestId, next, ...(locale !== undefined && { locale }) })
      return requestId
    },

    async prepare({ email, requestId: id, next, locale }) {
      const account = await accountTable.find(codes(), { emailKey: emailKey(email) })
      const to = account?.email ?? email
      const language = account?.locale ?? locale ?? null
      const values = {
        id,
        email: to,
        emailKey: emailKey(to),
        locale: locale ?? null,
        next,
        attempts: 0,
        expiresAt: timeAt(clock, settings.emailLinkTtl),
      }
      // Also for an address that gets no mail, because a wrong code must take the same time for it.
      await codes().query(...emailCodeTable.insertStep(values, 'on conflict (id) do nothing'))
      if (!account && !(await registration.isOpenTo(email))) return null
      const minutes = Math.floor(settings.emailLinkTtl / MINUTE)
      return { email: to, name: account?.name ?? null, locale: language, link: { id, version: LINK_VERSION }, minutes }
    },

    async useCode(id, code) {
      // Counted before the comparison, so that concurrent guesses are counted, too.
      const { rowCount } = await codes().query(
        `update identity_email_codes set attempts = attempts + 1 where id = $1 and expires_at > $2 and attempts < $3`,
        [id, timeAt(clock), MAX_CODE_ATTEMPTS],
      )
      if (!secrets.verifyCode(code, CODE_PURPOSE, id) || rowCount === 0) return null
      return use(id)
    },

    async useLink(token) {
      const id = idOf(token)
      return id === undefined ? null : use(id)
    },

    async preview(token) {
      const id = idOf(token)
      const found = id === undefined ? undefined : await emailCodeTable.find(codes(), { id })
      return found?.usedAt === null && Date.parse(found.expiresAt) > clock.now() ? toAddress(found) : null
    },
  }
}

const toAddress = ({ email, locale, next }: StoredEmailCode): ProvedAddress => ({ email, locale, next })
