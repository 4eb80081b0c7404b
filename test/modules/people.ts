/** What tests of every module need: people of every kind, a clock that can be moved, and answers read. */
import { type CursorValue, createCursorMark, encodeCursor } from '../../kernel/base/pagination.ts'
import { hashSecret, newClaimCode, normalizeClaimCode } from '../../modules/identity/domain/secrets.ts'
import type { Answer, Client, Person, TestKernel } from '../../testing/index.ts'
import { createTestClock, type TestClock } from '../fixtures/clock.ts'

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

export type MovedClock = TestClock
export const movedClock = (): TestClock => createTestClock()

/** Somebody in a tenant that may be another's. */
export interface Mate extends Client {
  readonly userId: string
  readonly tenantId: string
  readonly token: string
  readonly email: string
  readonly cookie: string
}
export interface People {
  /** Somebody new, with a workspace of their own. */
  person(name?: string): Promise<Person>
  /** Somebody new in this person's workspace, with these roles. */
  colleague(owner: Person, roles: readonly string[], name?: string): Promise<Mate>
  /** Somebody who owns the operator's tenant, and holds `platform.admin`: one and the same. */
  operator(): Promise<Client>
}

export function peopleOf(kernel: TestKernel): People {
  let count = 0
  const person: People['person'] = name =>
    kernel.register(`person-${++count}-${process.pid}@example.test`, name === undefined ? {} : { name })
  let claimed: Promise<Client> | undefined
  return {
    person,
    operator: () => (claimed ??= claim(kernel, person)),
    async colleague(owner, roles, name) {
      const invited = await person(name)
      const invitation = { email: invited.email, roles, sendEmail: false }
      const sent = await owner.post<{ link: string }>('/v1/identity/members/invite', invitation)
      const token = new URL(mustBe(201, sent).link).searchParams.get('token')
      mustBe(200, await invited.post('/v1/identity/invitations/accept', { token }))
      const { userId, email, cookie } = invited
      const client = kernel.as(invited.token, owner.tenantId)
      return { ...client, userId, email, cookie, token: invited.token, tenantId: owner.tenantId }
    },
  }
}

/** A cursor as the list of this route would have made it. @param list such as `get /content/pages`. */
export const forgedCursor = (list: string, values: readonly CursorValue[]): string =>
  createCursorMark(list).put({ nextCursor: encodeCursor(values) }).nextCursor

/** The code on the operator's terminal is not ours to read: another takes its place. */
async function claim({ kernel, as }: TestKernel, person: People['person']): Promise<Client> {
  const code = newClaimCode()
  const { systemDatabase, operator } = kernel.ports
  await systemDatabase
    .acrossTenants('a test takes the place of the operator')
    .query('update identity_claims set code_hash = $1', [hashSecret(normalizeClaimCode(code))])
  const { token, post } = await person()
  const { status } = await post('/v1/auth/claim', { code })
  if (status >= 300) throw new Error(`claiming was answered ${status}`)
  return as(token, operator.tenantId)
}

export function mustBe<B>(status: number, answer: Answer<B>): B {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
export const problem = (answer: Answer<unknown>) => answer.body as ProblemBody
export const codeOf = (answer: Answer<unknown>) => `${answer.status} ${problem(answer)?.code}`
