/** A kernel with content, a movable clock, and people with various roles. */
import { type Client, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import type { Page } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'
import { type People, peopleOf } from '../../fixtures/people.ts'

export type { Page }

export const PAGES = '/v1/content/pages'
export const REDIRECTS = '/v1/content/redirects'
export const NAVIGATION = '/v1/content/navigation'

export interface Fixtures extends People {
  readonly kernel: TestKernel
  readonly clock: TestClock
  stop(): Promise<void>
}

export function contentRecipe(recipe: Readonly<Record<string, unknown>> = {}) {
  const { modules, ...rest } = recipe as { modules?: object }
  return {
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
  }
}

export async function startFixtures(recipe: Record<string, unknown> = {}, folder?: string): Promise<Fixtures> {
  const clock = createTestClock()
  const kernel = await startTestKernel({ clock, ...(folder && { folder }), recipe: contentRecipe(recipe) })
  return { kernel, clock, ...peopleOf(kernel), stop: () => kernel.stop() }
}

let drafts = 0
/** Creates a draft with a unique slug. */
export async function draft(client: Client, more: Record<string, unknown> = {}): Promise<Page> {
  const slug = `page-${++drafts}`
  const { status, body } = await client.post(PAGES, {
    slug,
    title: `Page ${drafts}`,
    body: 'Hello *you*',
    ...more,
  })
  if (status !== 201) throw new Error(`creating a draft returned ${status}: ${JSON.stringify(body)}`)
  return body
}
