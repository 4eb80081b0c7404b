/** A kernel with billing, a clock that can be moved, and people of every kind. */
import { type Answer, type Client, type Person, startTestKernel, type TestKernel } from '../../../kernel/testing.ts'
import { hashSecret, newClaimCode, readClaimCode } from '../../../modules/identity/core/secrets.ts'

export interface Listed<T> {
  data: T[]
  nextCursor: string | null
}
export interface ProblemBody {
  code: string
  detail: string
  requiredPermission?: string
  errors?: { pointer: string; code: string; detail: string }[]
  [extra: string]: unknown
}
export interface Subscription {
  id: string
  state: string
  planKey: string
  currentPeriodEnd: string | null
  trialEndsAt: string | null
  graceEndsAt: string | null
  cancelAtPeriodEnd: boolean
}
export interface Entry {
  id: string
  key: string
  kind: string
  amount: number
  balanceBefore: number
  balanceAfter: number
  reason: string
  reference: string | null
  expiresAt: string | null
}
export interface Standing {
  key: string
  kind: string
  limit: number
  used: number
  requested: number
  allowed: boolean
  upgrade: string[]
}

export const DAY = 24 * 60 * 60 * 1000

export const ENTITLEMENTS = {
  'identity.seat': { kind: 'gauge' },
  'media.storage_gb': { kind: 'gauge', unit: 'GiB' },
  'api.calls': { kind: 'meter', period: 'month' },
  'api.white_label': { kind: 'flag', name: 'White label' },
  'ai.credits': { kind: 'credit' },
}
export const PLANS = {
  free: { name: 'Free', price: 0, entitlements: { 'identity.seat': 3, 'media.storage_gb': 1, 'api.calls': 2 } },
  pro: {
    name: 'Pro',
    price: 2900,
    currency: 'EUR',
    interval: 'month',
    trialDays: 14,
    entitlements: { 'identity.seat': 25, 'media.storage_gb': 100, 'api.calls': 1000, 'api.white_label': 1 },
    credits: { 'ai.credits': 1000 },
  },
  team: {
    name: 'Team',
    price: 4900,
    currency: 'EUR',
    entitlements: { 'identity.seat': -1, 'media.storage_gb': 100 },
    credits: { 'ai.credits': 100 },
  },
}

export interface Stage {
  readonly kernel: TestKernel
  readonly clock: { at: number; now(): number }
  /** Somebody new, with a workspace of their own. */
  person(): Promise<Person>
  /** Somebody new in this person's workspace, with these roles. */
  colleague(owner: Person, roles: readonly string[]): Promise<Client>
  /** Somebody who owns the operator's tenant. */
  operator(): Promise<Client>
  /** Credits that never expire, unless `expiresAt` says so. */
  grant(person: Person, amount: number, expiresAt?: string): Promise<Entry>
  stop(): Promise<void>
}

export async function stage(billing: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Promise<Stage> {
  // It goes on as real time does, from where the test puts it: ids of one millisecond have no order.
  const started = performance.now()
  const clock = { at: Date.now(), now: () => clock.at + Math.floor(performance.now() - started) }
  const { modules, ...rest } = more as { modules?: object }
  const kernel = await startTestKernel({
    clock,
    recipe: { entitlements: ENTITLEMENTS, plans: PLANS, ...rest, modules: { identity: {}, billing, ...modules } },
  })
  let people = 0
  const person = () => kernel.register(`person-${++people}@example.test`)
  let claimed: Promise<Client> | undefined
  const operator = () => (claimed ??= claim(kernel, person))
  return {
    kernel,
    clock,
    person,
    operator,
    async colleague(owner, roles) {
      const invited = await person()
      const sent = await owner.post<{ link: string }>('/v1/identity/members/invite', {
        email: invited.email,
        roles,
        sendEmail: false,
      })
      const token = new URL(sent.body.link).searchParams.get('token')
      await invited.post('/v1/identity/invitations/accept', { token })
      return kernel.as(invited.token, owner.tenantId)
    },
    async grant({ tenantId }, amount, expiresAt) {
      const order = { tenantId, key: 'ai.credits', amount, reason: 'a gift', ...(expiresAt && { expiresAt }) }
      const { status, body } = await (await operator()).post<Entry>('/v1/billing/credits', order)
      if (status !== 201) throw new Error(`a grant was answered ${status}: ${JSON.stringify(body)}`)
      return body
    },
    stop: () => kernel.stop(),
  }
}

/** The code on the operator's terminal is not ours to read: another takes its place. */
async function claim({ kernel, as }: TestKernel, person: () => Promise<Person>): Promise<Client> {
  const code = newClaimCode()
  const { database, operator } = kernel.ports
  await database
    .system('a test takes the place of the operator')
    .query('update identity_claims set code_hash = $1', [hashSecret(readClaimCode(code))])
  const { token, post } = await person()
  const { status } = await post('/v1/auth/claim', { code })
  if (status >= 300) throw new Error(`claiming was answered ${status}`)
  return as(token, operator.tenantId)
}

export const problem = (answer: Answer<unknown>) => answer.body as ProblemBody
export const codeOf = (answer: Answer<unknown>) => `${answer.status} ${problem(answer).code}`
export const B = '/v1/billing'

export const subscription = async (client: Client): Promise<Subscription> =>
  (await client.get<Subscription>(`${B}/subscription`)).body
export const buy = (client: Client, planKey: string) =>
  client.post<{ id: string; url: string }>(`${B}/checkout`, { planKey })

let keys = 0
/** Draws under a key of its own, unless one is named. */
export const consume = (client: Client, amount: number, key = `key-${++keys}`, more: object = {}) =>
  client.post<Entry>(
    `${B}/credits/consume`,
    { key: 'ai.credits', amount, reason: 'a picture', ...more },
    { headers: { 'idempotency-key': key } },
  )
export async function balance(client: Client): Promise<number> {
  const { body } = await client.get<Listed<{ balance: number }>>(`${B}/credits`)
  return body.data[0]?.balance as number
}
export async function ledger(client: Client): Promise<Entry[]> {
  return (await client.get<Listed<Entry>>(`${B}/credits/transactions?limit=200`)).body.data
}
