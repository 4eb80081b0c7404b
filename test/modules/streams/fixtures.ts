/** Fixtures of the stream tests. */

import type { TestFn } from 'ava'
import {
  type Person,
  startTestKernel,
  type TestKernel,
  type TestKernelOptions,
  type TestResponse,
} from '../../../testing/index.ts'
import type { CreatedStream as CreatedBody, Stream as StreamBody } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'
import { shareKernel } from '../../fixtures/shared-kernel.ts'
import { newEmail } from '../identity/fixtures.ts'

export type { CreatedBody, StreamBody }

export interface ProblemBody {
  readonly code: string
  readonly detail: string
  readonly errors?: { pointer: string; code: string }[]
  readonly requiredPermission?: string
}
export interface ListBody<T> {
  readonly data: T[]
  readonly next_cursor: string | null
}

export const EDGE_SECRET = 'the secret of the edge'
export const ROLES = {
  'tenant.operator': { name: 'Operator', permissions: ['sessions.*', 'streams.*'] },
  'tenant.reader': { name: 'Reader', permissions: ['streams.stream.read'] },
}

export function startStreams(
  streams: Readonly<Record<string, unknown>> = { edge: { secret: EDGE_SECRET } },
  options: Partial<TestKernelOptions> & { readonly modules?: Readonly<Record<string, unknown>> } = {},
): Promise<TestKernel> {
  const { modules, ...rest } = options
  const all = { identity: {}, comms: {}, sessions: {}, streams, ...modules }
  return startTestKernel({ recipe: { modules: all, roles: ROLES }, ...rest })
}

export interface StreamsContext {
  readonly kernel: TestKernel
  readonly ada: Person
  readonly clock: ReturnType<typeof manualClock>
  readonly url: string
}

async function startClockedStreams(): Promise<TestKernel & Pick<StreamsContext, 'clock'>> {
  const clock = manualClock()
  return { ...(await startStreams(undefined, { clock })), clock }
}

/** AVA's `test` with a kernel, a manual clock and one registered user as context. */
export function testWithStreams(anyTest: TestFn): TestFn<StreamsContext> {
  const test = anyTest as TestFn<StreamsContext>
  shareKernel(test, startClockedStreams, async ({ clock, ...kernel }, t) => {
    t.context = { kernel, clock, url: kernel.url, ada: await kernel.register(newEmail('ada')) }
  })
  return test
}

export async function create(person: Person, body: Readonly<Record<string, unknown>> = {}): Promise<CreatedBody> {
  return expectStatus(201, await person.post('/v1/streams', body))
}

export function expectStatus<B>(status: number, answer: TestResponse<B>): B {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A clock that only the test advances. */
export const manualClock = (at = Date.now()): TestClock => createTestClock({ at, runs: false })
