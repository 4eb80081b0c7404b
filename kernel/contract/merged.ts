/**
 * Interfaces that services and modules extend by declaration merging, each in its types-only `ports.ts`. The compiler
 * then checks every port, event and job of the program without imports between modules:
 *
 *     declare module '@larder-dev/larder/kernel' {
 *       interface Ports { invoices: Invoices }
 *       interface Events { 'invoices.invoice.sent': { invoiceId: string } }
 *       interface Jobs { 'invoices.remind': { invoiceId: string } }
 *     }
 */
import type { Static, TSchema } from 'typebox'
import type { EventEnvelope } from './ports/work.ts'

/** Ports of the program: name → interface. */
export interface Ports {}
/** Events: type → payload. */
export interface Events {}
/** Jobs: name → data. */
export interface Jobs {}
/** Bus messages: channel → message. */
export interface Channels {}
/** Permissions that depend on the recipe, which the routes of any module may require: `interface DeclaredPermissions { forms: … }`. */
export interface DeclaredPermissions {}
/**
 * Kinds of registrations that services and modules add to `defineModule`: `interface Registrations { express: Router }`.
 * A factory makes the value. `{ constant: T }` is a value instead, which is known before anything is created.
 */
export interface Registrations {}

/** Payload types from payload schemas: `interface Events extends PayloadsOf<typeof events> {}`. */
export type PayloadsOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  [Type in keyof Schemas]: Static<Schemas[Type]>
}

export type PortName = keyof Ports
/** Ports that a factory receives: `Deps<'database' | 'mailer'>`. The second parameter names optional ports. */
export type Deps<Needs extends PortName, Optional extends PortName = never> = Pick<Ports, Needs> &
  Partial<Pick<Ports, Optional>>
/** The event that a listener receives. */
export type Event<E extends keyof Events> = EventEnvelope<E & string, Events[E]>
