import { type Deps, type Events, type Listener, listener } from '@larder-dev/larder/kernel'
import type { AnyEvent } from './services/starts/event-starts.ts'
import type { AutomationServices } from './services.ts'

type ListenerDeps = Deps<'systemDatabase'> & Pick<AutomationServices, 'eventStarts' | 'dates' | 'starter'>

const REASON = 'events of several workspaces start their automations together'

/** Only events that an automation names have a listener. Others cost nothing. */
export function listeners({ systemDatabase, eventStarts, dates, starter }: ListenerDeps): Listener[] {
  const react = async (events: readonly AnyEvent[]): Promise<void> => {
    const unit = systemDatabase.acrossTenants(REASON)
    const moments = await dates.stepsOf(events)
    if (moments.length > 0) await unit.defer(moments)
    await starter.start(unit, await eventStarts.runsOf(events))
  }
  return [...new Set([...eventStarts.types, ...dates.types])].map(type =>
    listener(type as keyof Events & string, (events: readonly AnyEvent[]) => react(events), { batch: true }),
  )
}
