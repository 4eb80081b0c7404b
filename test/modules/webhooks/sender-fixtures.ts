/** Fixtures for tests that run their own senders on a kernel without one. */
import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import { createDialer } from '../../../kernel/base/dialer.ts'
import { createTargets, parseAllowedHosts } from '../../../kernel/base/outbound-target.ts'
import { newId } from '../../../kernel/index.ts'
import { createWebhooks } from '../../../modules/webhooks/services/enqueue-service.ts'
import { createHttpClient } from '../../../modules/webhooks/services/http-client.ts'
import { createSecretStore } from '../../../modules/webhooks/services/secret-store.ts'
import { createSender } from '../../../modules/webhooks/services/sender.ts'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { startWebhooks } from './fixtures.ts'

interface Clock {
  now(): number
}

/** One kernel and one registered user per test file. The role `web` runs no sender, so only those of the tests send. */
export function senderFixture(test: TestFn, clock: Clock) {
  const fixture = {} as { kernel: TestKernel; ada: Person }
  test.before(async () => {
    fixture.kernel = await startWebhooks({ clock, role: 'web' })
    fixture.ada = await fixture.kernel.register('ada@example.test')
  })
  test.beforeEach(async () => {
    const { systemDatabase } = fixture.kernel.kernel.ports
    await systemDatabase
      .acrossTenants('each test starts without deliveries')
      .batch([['delete from webhooks_deliveries'], ['delete from webhooks_host_leases']])
  })
  test.after.always(() => fixture.kernel?.stop())
  return fixture
}

/** `timeout`: response timeout in milliseconds; 15 s by default. */
export function senderOf({ kernel }: TestKernel, clock: Clock, timeout?: number) {
  const { database, systemDatabase, events, secrets, log, caches } = kernel.ports
  const isAllowed = parseAllowedHosts('127.0.0.1')
  const post = createHttpClient(createDialer(isAllowed), timeout)
  const webhookTargets = createTargets(isAllowed, 'modules.webhooks.allowHosts')
  const secretStore = createSecretStore({ database, clock, secrets, log })
  return createSender({ database, systemDatabase, clock, events, log, webhookTargets, caches, secretStore }, post)
}

/** Queues one delivery per URL, oldest first. */
export async function enqueueTo(
  { kernel }: TestKernel,
  clock: Clock,
  tenantId: string,
  urls: readonly string[],
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
      ...{ id: newId('evt'), type: 'sessions.session.created', version: 1, tenantId },
      ...{ occurredAt: new Date(clock.now()).toISOString(), actor: { kind: 'system', id: 'test' } as const },
      ...{ subject: null, correlationId: null, causationId: null, payload },
    }
    await webhooks.enqueue([event])
  }
}
