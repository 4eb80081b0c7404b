/** A kernel with content, a clock that can be moved, and people of every kind. */
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
export interface Page {
  id: string
  slug: string
  path: string
  locale: string
  title: string
  body: string
  html: string
  template: string
  seo: Record<string, unknown>
  status: string
  version: number
  publishedVersion: number | null
  publishAt: string | null
  managedBy: string | null
}

export const PAGES = '/v1/content/pages'
export const REDIRECTS = '/v1/content/redirects'
export const NAVIGATION = '/v1/content/navigation'

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

export async function stage(recipe: Record<string, unknown> = {}, folder?: string): Promise<Stage> {
  // It goes on as real time does, from where the test puts it: ids of one millisecond have no order.
  const started = performance.now()
  const clock = { at: Date.now(), now: () => clock.at + Math.floor(performance.now() - started) }
  const { modules, ...rest } = recipe as { modules?: object }
  const kernel = await startTestKernel({
    clock,
    ...(folder && { folder }),
    recipe: {
      locales: { default: 'en', available: ['en', 'de', 'de-AT'] },
      roles: {
        'tenant.reader': { name: 'Reader', permissions: ['content.navigation.read'] },
        'tenant.writer': {
          name: 'Writer',
          permissions: ['content.page.create', 'content.page.update', 'content.page.read'],
        },
      },
      ...rest,
      modules: { identity: {}, content: { versions: 5 }, ...modules },
    },
  })
  let people = 0
  const person = () => kernel.register(`person-${++people}@example.test`)
  let operator: Promise<Client> | undefined
  return {
    kernel,
    clock,
    person,
    operator: () => (operator ??= claim(kernel, person)),
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

let drafts = 0
/** A draft with a slug of its own. */
export async function draft(client: Client, more: Record<string, unknown> = {}): Promise<Page> {
  const slug = `page-${++drafts}`
  const { status, body } = await client.post<Page>(PAGES, {
    slug,
    title: `Page ${drafts}`,
    body: 'Hello *you*',
    ...more,
  })
  if (status !== 201) throw new Error(`a draft was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
