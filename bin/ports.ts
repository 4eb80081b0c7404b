/**
 * The ports, events and jobs of every service and module that ships. The build references this file from the
 * declarations of `@larder-dev/larder/kernel`, so that a program that imports `@larder-dev/larder/kernel` sees all of them.
 * `export type {}` stays in the emitted declarations, where the compiler drops `import type {}`.
 */
export type {} from '../modules/automations/ports.ts'
export type {} from '../modules/billing/ports.ts'
export type {} from '../modules/collections/ports.ts'
export type {} from '../modules/comms/ports.ts'
export type {} from '../modules/console/ports.ts'
export type {} from '../modules/content/ports.ts'
export type {} from '../modules/features/ports.ts'
export type {} from '../modules/forms/ports.ts'
export type {} from '../modules/identity/ports.ts'
export type {} from '../modules/media/ports.ts'
export type {} from '../modules/messaging/ports.ts'
export type {} from '../modules/platform/ports.ts'
export type {} from '../modules/sessions/ports.ts'
export type {} from '../modules/streams/ports.ts'
export type {} from '../modules/webhooks/ports.ts'
export type {} from '../services/bus/ports.ts'
export type {} from '../services/caches/ports.ts'
export type {} from '../services/http/ports.ts'
export type {} from '../services/jobs/ports.ts'
export type {} from '../services/outbound/ports.ts'
export type {} from '../services/outbox/ports.ts'
export type {} from '../services/postgres/ports.ts'
export type {} from '../services/templates/ports.ts'
export type {} from '../services/topics/ports.ts'
