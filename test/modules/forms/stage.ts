/** A kernel with forms, a clock that can be moved, and people of every kind. */
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
}
export interface Form {
  id: string
  key: string | null
  name: string
  access: string
  schema: Record<string, unknown>
  uiSchema: unknown
  notify: string[]
  allowedOrigins: string[]
  version: number
  url: string
  managedBy: string | null
}
export interface Submission {
  id: string
  formId: string
  formVersion: number
  data: Record<string, unknown>
  meta: Record<string, unknown>
  spam: boolean
  spamReason: string | null
  createdBy: string | null
  createdAt: string
}
export interface Blank {
  version: number
  schema: Record<string, unknown>
  token: string
}

export const FORMS = '/v1/forms'
export const CONTACT = {
  type: 'object',
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail' },
    message: { type: 'string', maxLength: 1000 },
  },
}
export const ENTRY = { data: { email: 'ada@example.test' } }

export interface Stage {
  readonly kernel: TestKernel
  readonly clock: { at: number; now(): number }
  /** Somebody new, with a workspace of their own. */
  person(): Promise<Person>
  /** Somebody new in this person's workspace, with these roles. */
  colleague(owner: Person, roles: readonly string[]): Promise<Client>
  /** Somebody who owns the operator's tenant. */
  operator(): Promise<Client>
  stop(): Promise<void>
}

export async function stage(
  recipe: Record<string, unknown> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  // It goes on as real time does, from where the test puts it: ids of one millisecond have no order.
  const started = performance.now()
  const clock = { at: Date.now(), now: () => clock.at + Math.floor(performance.now() - started) }
  const { modules, roles, ...rest } = recipe as { modules?: object; roles?: object }
  const kernel = await startTestKernel({
    clock,
    env,
    recipe: {
      roles: { 'tenant.sender': { name: 'Sender', permissions: ['forms.submission.create'] }, ...roles },
      ...rest,
      modules: { identity: {}, forms: {}, ...modules },
    },
  })
  let people = 0
  const person = () => kernel.register(`person-${++people}@example.test`)
  return {
    kernel,
    clock,
    person,
    operator: () => claim(kernel, person),
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
/** The fields that a 422 names, as `pointer code`. */
export const faultsOf = (answer: Answer<unknown>) =>
  problem(answer)
    .errors?.map(({ pointer, code }) => `${pointer} ${code}`)
    .sort()

export async function newForm(client: Client, more: Record<string, unknown> = {}): Promise<Form> {
  const { status, body } = await client.post<Form>(FORMS, { name: 'Contact', schema: CONTACT, ...more })
  if (status !== 201) throw new Error(`a form was answered ${status}: ${JSON.stringify(body)}`)
  return body
}

export const submissionsOf = async (client: Client, { id }: Form, query = ''): Promise<Submission[]> =>
  (await client.get<Listed<Submission>>(`${FORMS}/${id}/submissions${query}`)).body.data
