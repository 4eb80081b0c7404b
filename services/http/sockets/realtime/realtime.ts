/** The port `realtime`. */
import type { Deps, Realtime } from 'larder/kernel'
import { createMemberAuthentication } from './member-authentication.ts'
import { createRealtimeServer, type StoppableServer } from './server.ts'

export interface StoppableRealtime extends Realtime {
  stop(): void
}

export function createRealtime(deps: Deps<'clock' | 'bus' | 'log' | 'access', 'authenticator'>): StoppableRealtime {
  const { clock, bus, log } = deps
  const authenticateMember = createMemberAuthentication(deps)
  const servers: Pick<StoppableServer<never>, 'stop'>[] = []
  return {
    createServer(options) {
      const server = createRealtimeServer({ clock, bus, log, authenticateMember }, options)
      servers.push(server)
      return server
    },
    stop() {
      for (const server of servers) server.stop()
    },
  }
}
