/** Inviting several people at once: each address has a role, and succeeds or fails by itself. */
import { common, type FieldError, Problem, type Wording, wording } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { errorMessage, errorsIn } from '../../../pages/form.ts'

const MAX_ADDRESSES = 50
/** `email:3` and `role:3` are one row of the form. */
const ROW = 'email:'

type Form = Readonly<Record<string, string>>

export interface Invitee {
  readonly email: string
  readonly roles: readonly string[]
}
export interface SentInvitation {
  readonly email: string
  /** Set if no module sends mail. */
  readonly link: string | null
  /** The address had a pending invitation, which this one replaces. */
  readonly again: boolean
}
export interface RefusedInvitation extends Invitee {
  readonly reason: Wording
}
export interface InviteResults {
  readonly sent: readonly SentInvitation[]
  readonly failed: readonly RefusedInvitation[]
}

const REASONS = {
  invalid: wording("This isn't an email address."),
  seats: wording('All seats of your plan are taken.'),
  tooMany: wording('At most {limit} people can be invited at once. Send the others afterwards.', {
    limit: MAX_ADDRESSES,
  }),
}

/**
 * Addresses that spaces, commas, semicolons or line breaks separate, also with names as mail programs copy them:
 * `"Lovelace, Ada" <ada@example.test>`.
 */
const splitAddresses = (text: string): readonly string[] =>
  text
    .replace(/"[^"]*"/g, ' ')
    .split(/[,;\n]/)
    .flatMap(part => /<([^<>]*)>/.exec(part)?.[1] ?? part.split(/\s+/))
    .flatMap(address => address.trim() || [])

/** The people of the form, each once. Whoever stands in several rows gets the roles of all of them. */
export function inviteesIn(form: Form): readonly Invitee[] {
  const rows = Object.keys(form).flatMap(name => (name.startsWith(ROW) ? [name.slice(ROW.length)] : []))
  const pasted = splitAddresses(form.emails ?? '').map(email => ({ email, role: form.role ?? '' }))
  const single = rows.flatMap(row =>
    splitAddresses(form[`${ROW}${row}`] ?? '').map(email => ({ email, role: form[`role:${row}`] ?? '' })),
  )
  const byKey = new Map<string, Invitee>()
  for (const { email, role } of [...pasted, ...single]) {
    const known = byKey.get(emailKey(email)) ?? { email, roles: [] }
    const roles = role === '' || known.roles.includes(role) ? known.roles : [...known.roles, role]
    byKey.set(emailKey(email), { ...known, roles })
  }
  return [...byKey.values()]
}

const isAboutAddress = (errors: readonly FieldError[]): boolean =>
  errors.length > 0 && errors.every(({ pointer }) => pointer === '/email')

function reasonOf(error: Problem): Wording {
  if (error.code === 'entitlement_exceeded') return REASONS.seats
  return isAboutAddress(errorsIn(error)) ? REASONS.invalid : errorMessage(error)
}

/** @throws what isn't the fault of one address */
export async function inviteAll(
  invitees: readonly Invitee[],
  invite: (invitee: Invitee) => Promise<SentInvitation>,
): Promise<InviteResults> {
  const sent: SentInvitation[] = []
  const failed: RefusedInvitation[] = invitees
    .slice(MAX_ADDRESSES)
    .map(invitee => ({ ...invitee, reason: REASONS.tooMany }))
  for (const invitee of invitees.slice(0, MAX_ADDRESSES)) {
    try {
      sent.push(await invite(invitee))
    } catch (error) {
      if (!Problem.is(error) || error.status >= 500 || error.code === common.reauthentication_required.code) throw error
      failed.push({ ...invitee, reason: reasonOf(error) })
    }
  }
  return { sent, failed }
}
