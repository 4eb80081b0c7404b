/** A kernel with forms, a movable clock, and people with various roles. */
import { type Client, startTestKernel, type TestKernel, type TestResponse } from '../../../testing/index.ts'
import type { Form, Submission } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'
import { type Listed, type People, peopleOf, problem } from '../../fixtures/people.ts'

export type { Form, Submission }

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

export interface Fixtures extends People {
  readonly kernel: TestKernel
  readonly clock: TestClock
  stop(): Promise<void>
}

export function formsRecipe(recipe: Readonly<Record<string, unknown>> = {}) {
  const { modules, roles, ...rest } = recipe as { modules?: object; roles?: object }
  return {
    roles: { 'tenant.sender': { name: 'Sender', permissions: ['forms.submission.create'] }, ...roles },
    ...rest,
    modules: { identity: {}, forms: {}, ...modules },
  }
}

export async function startFixtures(
  recipe: Record<string, unknown> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Fixtures> {
  const clock = createTestClock()
  const kernel = await startTestKernel({ clock, env, recipe: formsRecipe(recipe) })
  return { kernel, clock, ...peopleOf(kernel), stop: () => kernel.stop() }
}

/** The errors of a 422 as `pointer code`. */
export const errorsOf = (answer: TestResponse<unknown>) =>
  problem(answer)
    .errors?.map(({ pointer, code }) => `${pointer} ${code}`)
    .sort()

export async function newForm(client: Client, more: Record<string, unknown> = {}): Promise<Form> {
  const { status, body } = await client.post<Form>(FORMS, { name: 'Contact', schema: CONTACT, ...more })
  if (status !== 201) throw new Error(`creating a form returned ${status}: ${JSON.stringify(body)}`)
  return body
}

export const submissionsOf = async (client: Client, { id }: Form, query = ''): Promise<Submission[]> =>
  (await client.get<Listed<Submission>>(`${FORMS}/${id}/submissions${query}`)).body.data
