/** The port `outbound`, which a product can replace, for example by a proxy. */
import type { Wording } from '@larder-dev/larder/kernel'
import type { buildConnector } from 'undici'

export interface OutboundPolicy {
  /** Hosts that may be reached whatever their address, with or without a port: `localhost`, `hooks.internal:8080`. */
  readonly allowHosts?: string | readonly string[]
  /** The path of the option of the recipe that allows hosts, for messages. */
  readonly setting: string
}

/** Connections to hosts that tenants choose. */
export interface OutboundConnections {
  /** Why the URL is not allowed, as the end of a sentence; undefined if it is. Does no DNS lookup. */
  refusal(url: string): Wording | undefined
  /**
   * The option `connect` of an agent of undici.
   * @param timeout in milliseconds
   */
  connector(timeout: number): buildConnector.connector
  /** Whether the error of a connection means that the address is not allowed; nothing was sent then. */
  isRefusal(error: unknown): boolean
}

export interface Outbound {
  connections(policy: OutboundPolicy): OutboundConnections
}

/** Checks URLs of a recipe before the product starts. */
export type OutboundCheck = (
  policy: OutboundPolicy,
  environment: { readonly production: boolean },
) => Pick<OutboundConnections, 'refusal'>

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    outbound: Outbound
  }
  interface Registrations {
    /** Checks URLs of a recipe as the port `outbound` will. The service that provides the port has it. */
    outboundCheck: { readonly constant: OutboundCheck }
  }
}
