/** What follows from the news of a provider: the state of the message, and who is left alone from now on. */
import type { Deps } from 'larder/kernel'
import { BOUNCE_PAUSE } from './delivery-service.ts'
import { createMessages, type Message } from './message-repository.ts'
import { entry } from '../domain/message-states.ts'
import { createSuppressionList } from './suppression-list.ts'
import { createNewsStore, type StoredNews } from './provider-event-repository.ts'

const BATCH = 100

export type IntakeDeps = Deps<'database' | 'clock' | 'jobs' | 'log'>

/** Looks at everything that waits. Throws where something could not be looked at: another attempt is due then. */
export function createIntake(deps: IntakeDeps): { run(): Promise<void>; sweep(): Promise<void> } {
  const { database, log } = deps
  const store = createNewsStore(deps)
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)

  async function follow({ type, hard, at, detail, provider }: StoredNews, { id, tenantId, to }: Message) {
    // A reader who unsubscribes says nothing of this one mail.
    if (type !== 'unsubscribed')
      await messages.move(tenantId, id, type, entry(type, at.getTime(), detail ?? `as ${provider} says`))
    if (type === 'bounced' && hard) await suppression.bounced(tenantId, to, new Date(at.getTime() + BOUNCE_PAUSE))
    if (type === 'complained') await suppression.complained(tenantId, to)
    if (type === 'unsubscribed') await suppression.unsubscribed(tenantId, to)
  }

  async function settle(news: StoredNews): Promise<void> {
    const tenantId = news.messageId === undefined ? undefined : await store.tenantOf(news.messageId)
    if (tenantId === undefined) return store.end(news, 'unknown')
    await database.tenant(tenantId).transaction(async () => {
      if (!(await store.claim(news))) return
      const message = await messages.find(tenantId, news.messageId as string)
      if (message) await follow(news, message)
      await store.end(news, message ? 'done' : 'unknown')
    })
  }

  async function attempt(news: StoredNews): Promise<boolean> {
    try {
      await settle(news)
      return true
    } catch (error) {
      log.error({ err: error, provider: news.provider, event: news.id }, 'news of a mail could not be followed')
      await store.failed(news)
      return false
    }
  }

  return {
    async run() {
      let failures = 0
      for (;;) {
        const batch = await store.waiting(BATCH)
        const before = failures
        for (const news of batch) if (!(await attempt(news))) failures++
        if (batch.length < BATCH || failures - before === batch.length) break
      }
      if (failures > 0) throw new Error(`news of ${failures} mails could not be followed`)
    },
    sweep: () => store.sweep(),
  }
}
