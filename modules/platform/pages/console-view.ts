import type { EventRecord, Inspector, ModuleReport, PageOf } from 'larder/kernel'
import type { DeadLetter } from '../routes/dead-letter-schemas.ts'

export interface ConsoleSources {
  readonly info: ReturnType<Inspector['info']>
  readonly modules: readonly ModuleReport[]
  readonly queue: Awaited<ReturnType<Inspector['queue']>>
  readonly dead: PageOf<DeadLetter>
  readonly events: readonly EventRecord[]
  /** Name of the delivery or job that was just retried. */
  readonly retried: string | undefined
}
export type ConsoleView = ReturnType<typeof consoleView>

const NONE = '–'

export function consoleView({ info, modules, queue, dead, events, retried }: ConsoleSources) {
  return {
    ...info,
    notice: retried ? `Retrying ${retried}.` : '',
    queue: { ...queue, oldestSeconds: Math.round(queue.oldestSeconds ?? 0) },
    dead: dead.data.map(letter => ({
      ...letter,
      about: letter.eventType ?? NONE,
      tenantId: letter.tenantId ?? NONE,
      lastError: letter.lastError ?? NONE,
    })),
    more: dead.nextCursor !== null,
    failing: events
      .flatMap(({ deliveries }) => deliveries)
      .filter(({ state, attempts }) => state === 'pending' && attempts > 0)
      .map(delivery => ({
        ...delivery,
        lastError: delivery.lastError ?? NONE,
        nextAttemptAt: delivery.nextAttemptAt ?? NONE,
      })),
    modules: modules.map(module => ({
      name: module.name,
      version: module.version,
      summary: module.summary,
      failed: module.state === 'failed' ? (module.reason ?? 'Failed to start') : '',
      counts: counts(module),
    })),
  }
}

/** For example `{0} routes`, which the page translates and fills with the count. */
function counts(module: ModuleReport): readonly { readonly words: string; readonly count: number }[] {
  const parts = {
    route: module.routes,
    page: module.pages,
    socket: module.sockets,
    permission: module.permissions,
    role: module.roles,
    event: module.events,
    listener: module.listeners,
    job: module.jobs,
    mail: module.mails,
    migration: module.migrations,
  }
  return Object.entries(parts)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => ({ words: `{0} ${name}${list.length === 1 ? '' : 's'}`, count: list.length }))
}
