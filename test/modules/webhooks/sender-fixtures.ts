/** A sender of the test's own, and what waits for it, on a kernel that sends nothing itself. */
import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import { newId } from '../../../kernel/index.ts'
import { createWebhooks } from '../../../modules/webhooks/services/enqueue-service.ts'
import { createAllowed, createTargets } from '../../../modules/webhooks/domain/targets.ts'
import { connectTo, createDialer, createResolve } from '../../../modules/webhooks/services/dialer.ts'
import { createPost } from '../../../modules/webhooks/services/http-client.ts'
import { createSender } from '../../../modules/webhooks/services/sender.ts'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { startWebhooks } from './fixtures.ts'

interface Clock {
  now(): number
}

/** One kernel and one person for the tests of a file. A web process alone: nothing is sent but by senders of the tests. */
export function sendingStage(test: TestFn, clock: Clock) {
  const stage = {} as { kernel: TestKernel; ada: Person }
  test.before(async () => {
    stage.kernel = await startWebhooks({ clock, role: 'web' })
    stage.ada = await stage.kernel.register('ada@example.test')
  })
  test.beforeEach(async () => {
    const { database } = stage.kernel.kernel.ports
    await database.system('each test begins with nothing to send').query('delete from webhooks_deliveries')
  })
  test.after.always(() => stage.kernel?.stop())
  return stage
}

/** @param timeout milliseconds that a receiver has to answer; 15 s without */
export function senderOf({ kernel }: TestKernel, clock: Clock, timeout?: number) {
  const { database, secrets, log } = kernel.ports
  const isAllowed = createAllowed('127.0.0.1')
  const post = createPost(createDialer(isAllowed, createResolve(), connectTo), timeout)
  const webhookTargets = createTargets(isAllowed)
  return createSender({ database, clock, secrets, log, webhookTargets }, post)
}

/** As many deliveries as addresses, the first is the oldest. */
export async function announceTo(
  { kernel }: TestKernel,
  clock: Clock,
  tenantId: string,
  urls: readonly string[],
): Promise<void> {
  const { database } = kernel.ports
  const webhooks = createWebhooks({ database, clock, webhookSender: { wake() {}, stop: async () => {} } })
  for (const url of urls)
    await webhooks.announce({
      id: newId('evt'),
      type: 'sessions.session.created',
      version: 1,
      tenantId,
      occurredAt: new Date(clock.now()).toISOString(),
      actor: { kind: 'system', id: 'test' },
      subject: null,
      correlationId: null,
      causationId: null,
      payload: { session_id: `ses_${randomUUID()}`, sequence: 1, webhook: { url, events: ['session.created'] } },
    })
}
