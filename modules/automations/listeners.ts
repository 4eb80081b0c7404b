import { type Deps, type Events, type Listener, listener } from '@larder-dev/larder/kernel'
import type { AnyEvent } from './services/starts/event-starts.ts'
import type { AutomationServices } from './services.ts'

type ListenerDeps = Deps<'systemDatabase'> &
  Pick<AutomationServices, 'askNotices' | 'eventStarts' | 'dates' | 'starter' | 'goneRows'>

const REASON = 'events of several workspaces start their automations together'

/** Only the events that an automation names have a listener. Others cost nothing. */
export function listeners({
  systemDatabase,
  askNotices,
  eventStarts,
  dates,
  starter,
  goneRows,
}: ListenerDeps): Listener[] {
  const react = async (events: readonly AnyEvent[]): Promise<void> => {
    const unit = systemDatabase.acrossTenants(REASON)
    const moments = await dates.stepsOf(events)
    if (moments.length > 0) await unit.defer(moments)
    await goneRows.end(unit, events)
    await starter.start(unit, await eventStarts.runsOf(events))
  }
  const starting = [...new Set([...eventStarts.types, ...dates.types, ...goneRows.types])].map(type =>
    listener(type as keyof Events & string, (events: readonly AnyEvent[]) => react(events), { batch: true }),
  )
  return [...starting, listener('automations.ask.opened', event => askNotices.send(event), { as: 'notices' })]
}
