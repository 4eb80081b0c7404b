/** From what a provider told to what follows, each once and in the order in which it happened. */
import { common, type Deps } from 'larder/kernel'
import type { News } from '../domain/provider-event.ts'
import type { BillingSettings } from '../options.ts'
import type { Told } from './providers/provider.ts'
import { createNewsStore, type End, PATIENCE, type StoredNews } from './provider-event-repository.ts'
import type { Subscriptions } from './subscription-service.ts'

const BATCH = 100
const TRIES = 10

export function createIntake(
  deps: Deps<'database' | 'clock' | 'jobs' | 'log'>,
  { settings, subscriptions }: { settings: BillingSettings; subscriptions: Subscriptions },
) {
  const { database, clock, log } = deps
  const store = createNewsStore(deps)
  const isTooOld = ({ receivedAt }: StoredNews) => receivedAt.getTime() < clock.now() - PATIENCE

  /** False where another worker has it. */
  async function settle(news: StoredNews): Promise<boolean> {
    const tenantId = await store.tenantOf(news)
    if (tenantId === undefined) {
      await (isTooOld(news) ? giveUp(news, 'unknown') : store.postpone(news))
      return true
    }
    return database.tenant(tenantId).transaction(async unit => {
      if (!(await store.claim(news))) return false
      const outcome = await subscriptions.hear(unit, tenantId, news)
      if (outcome === 'waits' && !isTooOld(news)) await store.postpone(news)
      else if (outcome === 'waits' || outcome === 'refused') await giveUp(news, 'refused')
      else {
        await store.end(news, outcome)
        await store.wake(tenantId, news)
      }
      return true
    })
  }

  async function giveUp(news: StoredNews, outcome: End): Promise<void> {
    const { id, provider, what, subscription } = news
    log.warn({ provider, event: id, what: what.type, subscription, outcome }, 'news of a payment fits nothing here')
    await store.end(news, outcome)
  }

  async function attempt(news: StoredNews): Promise<boolean> {
    try {
      return await settle(news)
    } catch (error) {
      log.error({ err: error, provider: news.provider, event: news.id }, 'news of a payment could not be followed')
      if (news.attempts + 1 >= TRIES) await giveUp(news, 'failed')
      else await store.postpone(news)
      return true
    }
  }

  return {
    take: (news: readonly News[]) => store.take(settings.provider, news),
    /** Looks at everything whose time has come. */
    async run(): Promise<void> {
      for (;;) {
        let moved = 0
        for (const news of await store.waiting(BATCH)) if (await attempt(news)) moved++
        if (moved === 0) return
      }
    },
    sweep: store.sweep,
    /**
     * What a provider told us to our face, in a unit of the tenant. Throws `invalid_state` where the subscription
     * takes no such step by now: somebody else was first.
     */
    async hear(tenantId: string, { news, heard }: Told): Promise<void> {
      await database.tenant(tenantId).transaction(async unit => {
        for (const one of news) {
          const key = { provider: settings.provider, id: one.id }
          if (heard) await store.insert(database.system('news of our own provider'), key.provider, one)
          const outcome = await subscriptions.hear(unit, tenantId, one, heard)
          if (outcome !== 'done') throw common.invalid_state({ reason: 'The subscription has changed meanwhile.' })
          if (heard) await store.end(key, outcome)
        }
      })
    },
  }
}
export type Intake = ReturnType<typeof createIntake>
