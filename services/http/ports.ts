/** What the HTTP service offers, the settings it reads, and the registration that it adds. */
import type { Router } from 'express'
import type { Http } from './types.ts'

declare module 'larder/kernel' {
  interface Ports {
    http: Http
  }
  interface Settings {
    readonly port: number
    readonly host: string
    /** Hops of proxies whose X-Forwarded-For is believed. */
    readonly trustProxy: number
    readonly rateLimits: boolean
    /** Lets `/metrics` be read from elsewhere than loopback. */
    readonly metricsToken: string | undefined
  }
  interface Registrations {
    /** An Express router or application, mounted below `/x/<module>`. */
    express: Router
  }
}
