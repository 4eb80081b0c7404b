/** The port `realtime`. */
import { type Deps, type Realtime, SECOND } from '@larder-dev/larder/kernel/internal'
import { createMemberAuthentication } from './member-authentication.ts'
import { createRealtimeServer, type ServerDeps, type StoppableServer } from './server.ts'

export interface StoppableRealtime extends Realtime {
  stop(): void
}

const CHECK_INTERVAL_MS = SECOND

type RealtimeDeps = Deps<'clock' | 'bus' | 'log' | 'access' | 'operator', 'authenticator'>

export const createRealtime = (deps: RealtimeDeps): StoppableRealtime => createScheduledRealtime(deps, everySecond)

/** `schedule` runs the periodic checks of a server. */
export function createScheduledRealtime(deps: RealtimeDeps, schedule: ServerDeps['schedule']): StoppableRealtime {
  const { clock, bus, log } = deps
  const authenticateMember = createMemberAuthentication(deps)
  const servers: Pick<StoppableServer<never>, 'stop'>[] = []
  return {
    createServer(options) {
      const server = createRealtimeServer({ clock, bus, log, authenticateMember, schedule }, options)
      servers.push(server)
      return server
    },
    stop() {
      for (const server of servers) server.stop()
    },
  }
}

function everySecond(run: () => void): () => void {
  const timer = setInterval(run, CHECK_INTERVAL_MS)
  return () => clearInterval(timer)
}
