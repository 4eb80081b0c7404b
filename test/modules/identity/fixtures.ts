import { hashSecret, newClaimCode, normalizeClaimCode } from '../../../modules/identity/domain/secrets.ts'
import {
  type Client,
  type Person,
  startTestKernel,
  type TestKernel,
  type TestResponse,
} from '../../../testing/index.ts'
import { createTestClock } from '../../fixtures/clock.ts'
import { codeOf, newEmail } from '../../fixtures/people.ts'

export interface ProblemBody {
  code: string
  status: number
  detail: string
  requiredPermission?: string
  errors?: { pointer: string; code: string }[]
}
export interface Page<T> {
  data: T[]
  nextCursor: string | null
}

export const identityRecipe = (identity: Readonly<Record<string, unknown>> = {}) => ({
  modules: { identity, comms: {} },
})

export const startIdentity = (
  identity: Readonly<Record<string, unknown>> = {},
  more: Partial<Parameters<typeof startTestKernel>[0]> = {},
): Promise<TestKernel> => startTestKernel({ recipe: identityRecipe(identity), ...more })

export { codeOf, createTestClock, newEmail }

/** The field errors of a 422 as `pointer code`. */
export const fieldErrors = ({ body }: TestResponse<unknown>): string[] =>
  ((body as ProblemBody).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort()

/** A member who calls with the tenant header of the owner's tenant. */
export interface Colleague extends Client {
  readonly person: Person
  readonly memberId: string
}

/** The token in an invitation link. */
export const tokenOf = (link: string): string => String(new URL(link).searchParams.get('token'))

export async function inviteLink(owner: Client, email: string, roles: readonly string[]): Promise<string> {
  const invited = await owner.post<{ link: string }>('/v1/identity/members/invite', { email, roles, sendEmail: false })
  if (invited.status > 201) throw new Error(`the invitation was answered ${codeOf(invited)}`)
  return tokenOf(invited.body.link)
}

/** A new user who joined the owner's tenant with these roles. */
export async function colleague(kernel: TestKernel, owner: Person, roles: readonly string[]): Promise<Colleague> {
  const person = await kernel.register(newEmail('colleague'))
  const token = await inviteLink(owner, person.email, roles)
  const { status, body } = await person.post('/v1/identity/invitations/accept', {
    token,
  })
  if (status !== 200) throw new Error(`accepting was answered ${status}`)
  return { ...person.with({ 'x-tenant-id': owner.tenantId }), person, memberId: body.membership.id }
}

/** Creates a custom role. */
export async function role(owner: Client, key: string, permissions: readonly string[]): Promise<string> {
  const made = await owner.post('/v1/identity/roles', { key, name: key, permissions })
  if (made.status !== 201) throw new Error(`the role was answered ${codeOf(made)}`)
  return key
}

/** A platform admin who claimed the operator's tenant. */
export async function operator(kernel: TestKernel): Promise<Person & { operatorId: string; code: string }> {
  const person = await kernel.register(newEmail('operator'))
  const operatorId = kernel.kernel.ports.operator.tenantId
  const code = newClaimCode()
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test inserts its own claim code')
    .query("insert into identity_claims (code_hash, expires_at) values ($1, now() + interval '1 hour')", [
      hashSecret(normalizeClaimCode(code)),
    ])
  const { status } = await person.post('/v1/auth/claim', { code })
  if (status !== 200) throw new Error(`claiming was answered ${status}`)
  return { ...person, operatorId, code }
}

/**
 * The most attempts at one account that one process delays in the time since `started` (performance.now()): the delays
 * are 1 s, 2 s, 4 s and so on.
 */
export const maxDelayedAttempts = (started: number): number =>
  Math.floor(Math.log2((performance.now() - started) / 1000 + 1))

/** The tokens in the password reset emails to this address, oldest first. */
export async function resetTokens(kernel: TestKernel, email: string): Promise<string[]> {
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  const tokens: string[] = []
  for (const { id, subject } of inbox.body.data) {
    if (!subject.includes('password')) continue
    const { body } = await kernel.get(`/v1/communications/mailbox/${id}`)
    const [, token = ''] = /reset-password\?token=([^\s>\]]+)/.exec(body.text) ?? []
    tokens.unshift(decodeURIComponent(token))
  }
  return tokens
}

/** Deletes what has expired, as the hourly job does. */
export async function sweep(kernel: TestKernel): Promise<void> {
  await kernel.kernel.ports.jobs.enqueue('identity.sweep', {})
  await kernel.settled()
}

/** Requests a password reset. Returns the token in the email. */
export async function requestReset(kernel: TestKernel, email: string): Promise<string> {
  const { status } = await kernel.post('/v1/auth/password/forgot', { email })
  if (status !== 202) throw new Error(`the request was answered ${status}`)
  return (await resetTokens(kernel, email)).at(-1) ?? ''
}
