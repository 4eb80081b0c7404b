import { AddressRefusedError, createConnector, createDialer, type Dial } from './dialer.ts'
import type { Outbound, OutboundCheck, OutboundConnections } from './ports.ts'
import { createTargets, parseAllowedHosts } from './targets.ts'

/** In development, this machine may be reached, too. */
export const createOutbound = ({ production }: { readonly production: boolean }): Outbound => ({
  connections: policy => ({
    ...checkOutbound(policy, { production }),
    ...connectionsOf(createDialer(parseAllowedHosts(policy.allowHosts, !production))),
  }),
})

export const checkOutbound: OutboundCheck = ({ allowHosts, setting }, { production }) =>
  createTargets(parseAllowedHosts(allowHosts, !production), setting)

export const connectionsOf = (dial: Dial): Pick<OutboundConnections, 'connector' | 'isRefusal'> => ({
  connector: timeout => createConnector(dial, timeout),
  isRefusal: error => error instanceof AddressRefusedError,
})
