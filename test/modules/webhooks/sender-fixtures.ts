/** Fixtures for tests that run their own senders on a kernel without one. */
import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import { newId } from '../../../kernel/index.ts'
import { createWebhooks } from '../../../modules/webhooks/services/enqueue-service.ts'
import { createHttpClient } from '../../../modules/webhooks/services/http-client.ts'
import { createSecretStore } from '../../../modules/webhooks/services/secret-store.ts'
import { createSender } from '../../../modules/webhooks/services/sender.ts'
import { createDialer } from '../../../services/outbound/dialer.ts'
import { connectionsOf } from '../../../services/outbound/outbound.ts'
import { createTargets, parseAllowedHosts } from '../../../services/outbound/targets.ts'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { createTestClock } from '../../fixtures/clock.ts'
import { newEmail } from '../../fixtures/people.ts'
import { shareKernel } from '../../fixtures/shared-kernel.ts'
import { startWebhooks } from './fixtures.ts'

interface Clock {
  now(): number
}

const shared = createTestClock()

/** The clock of the kernel that files share. It follows real time, and tests advance it. */
export { shared as clock }

/** The role `web` runs no sender, so only those of the tests send. */
export const startWithoutSender = (): Promise<TestKernel> => startWebhooks({ clock: shared, role: 'web' })

/** A shared kernel, and one registered user per test file. */
export function senderFixture(test: TestFn) {
  const fixture = {} as { kernel: TestKernel; ada: Person }
  shareKernel(test, startWithoutSender, async kernel => {
    fixture.kernel = kernel
    fixture.ada = await kernel.register(newEmail('ada'))
  })
  test.beforeEach(async () => {
    const { systemDatabase } = fixture.kernel.kernel.ports
    await systemDatabase
      .acrossTenants('each test starts without deliveries')
      .all([['delete from webhooks_deliveries'], ['delete from webhooks_host_leases']])
  })
  return fixture
}

/** `timeout`: response timeout in milliseconds; 15 s by default. */
export function senderOf(
  { kernel }: TestKernel,
  { timeout, clock = shared }: { timeout?: number; clock?: Clock } = {},
) {
  const { database, systemDatabase, events, secrets, log, caches } = kernel.ports
  const isAllowed = parseAllowedHosts('127.0.0.1')
  const post = createHttpClient(connectionsOf(createDialer(isAllowed)), timeout)
  const webhookTargets = createTargets(isAllowed, 'modules.webhooks.allowHosts')
  const secretStore = createSecretStore({ database, clock, secrets, log })
  return createSender(
    { database, systemDatabase, clock, events, log, secrets, webhookTargets, caches, secretStore },
    post,
  )
}

/** Queues one delivery per URL, oldest first. */
export async function enqueueTo(
  { kernel }: TestKernel,
  tenantId: string,
  urls: readonly string[],
  clock: Clock = shared,
): Promise<void> {
  const { database, systemDatabase } = kernel.ports
  const webhooks = createWebhooks({
    database,
    systemDatabase,
    clock,
    sender: { wake() {}, stop: async () => {} },
  })
  for (const url of urls) {
    const payload = { session_id: `ses_${randomUUID()}`, sequence: 1, webhook: { url, events: ['session.created'] } }
    const event = {
      id: newId('evt'),
      type: 'sessions.session.created',
      version: 1,
      tenantId,
      occurredAt: new Date(clock.now()).toISOString(),
      actor: { kind: 'system', id: 'test' } as const,
      subject: null,
      correlationId: null,
      causationId: null,
      depth: 0,
      payload,
    }
    await webhooks.enqueue([event])
  }
}
