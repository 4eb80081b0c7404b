/** The products of this folder, each a recipe that a team could have written from the docs, and the people in them. */
import { fileURLToPath } from 'node:url'
import type { TestFn } from 'ava'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { type People, peopleOf } from '../../fixtures/people.ts'

export interface Row {
  readonly id: string
  readonly [field: string]: unknown
}
type Json = Readonly<Record<string, unknown>>
type Problem = {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[]
}

export interface RunningProduct {
  readonly kernel: TestKernel
  readonly people: People
}

/**
 * @param name of the folder with the recipe.
 * @param prepare runs once the product does.
 */
export function product(
  test: Pick<TestFn, 'before' | 'after'>,
  name: string,
  prepare: (running: RunningProduct) => Promise<void> = async () => {},
): RunningProduct {
  let kernel: TestKernel | undefined
  test.before(async () => {
    const recipe = fileURLToPath(new URL(`test/recipes/products/${name}/recipe.yaml`, packageRoot))
    kernel = await startTestKernel({ recipe })
    await prepare(running)
  })
  test.after.always(() => kernel?.stop())
  const running: RunningProduct = {
    get kernel() {
      return kernel as TestKernel
    },
    get people() {
      return peopleOf(kernel as TestKernel)
    },
  }
  return running
}

export const create = (client: Pick<Client, 'post'>, collection: string, values: Json) =>
  client.post<Row & Problem>(`/v1/data/${collection}`, values)
export const change = (client: Client, collection: string, id: string, values: Json) =>
  client.patch<Row & Problem>(`/v1/data/${collection}/${id}`, values)
export async function created(client: Client, collection: string, values: Json): Promise<Row> {
  const { status, body } = await create(client, collection, values)
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}
export async function rowsOf(client: Pick<Client, 'get'>, collection: string, query = ''): Promise<readonly Row[]> {
  const { status, body } = await client.get<{ data: readonly Row[] }>(`/v1/data/${collection}${query}`)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}
export const memberOf = async (person: Client & { readonly tenantId: string }): Promise<string> =>
  (await person.get<{ memberships: { id: string; tenantId: string }[] }>('/v1/auth/me')).body.memberships.find(
    ({ tenantId }) => tenantId === person.tenantId,
  )?.id ?? ''

/** Subjects of the emails to an address, once every event and job is done. */
export async function mailTo({ kernel }: RunningProduct, address: string): Promise<readonly string[]> {
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(address)}`)
  return body.data.map(({ subject }: { subject: string }) => subject).sort()
}

/** A person who signed up in a product of people, and whom the operator then gave these roles. */
export async function staff({ people }: RunningProduct, operator: Client, roles: readonly string[]): Promise<Person> {
  const person = await people.person()
  const { status, body } = await operator.patch(
    `/v1/identity/members/${await memberOf(person)}` as never,
    { roles } as never,
  )
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return person
}
